import { cpus, release, totalmem, type } from 'node:os'
import { toPlainText } from '../terminal/plain-text.ts'
import type { Report } from './report.ts'

/** Describes this machine for the report. */
export function readMachine(): Report['machine'] {
  const processors = cpus()
  const processor = toPlainText(processors[0]?.model ?? '').trim() || 'unknown processor'
  return { system: `${type()} ${release()}`, processor, cores: processors.length, memoryGib: totalmem() / 2 ** 30 }
}
