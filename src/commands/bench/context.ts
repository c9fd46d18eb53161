import type { Processes } from './processes.ts'
import type { Scale } from './scale.ts'
import type { Texts } from './texts.ts'

/** Shared by the measurements of one run. */
export type BenchRun = {
  processes: Processes
  ticks: () => number
  texts: Texts
  scale: Scale
  /** Shows the name of the current measurement. */
  step: (name: string) => void
}

/** A data folder, and keys of its only project. */
export type Data = { dataDir: string; keys: string[] }

/** `count` callers, who share the keys in turn. */
export function toCallers(url: string, { keys }: Data, count: number): { url: string; key: string }[] {
  return Array.from({ length: count }, (_, nth) => ({ url, key: keys[nth % keys.length] ?? '' }))
}
