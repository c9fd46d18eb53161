import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import type { Assistant, Format } from './format.ts'

/** The formats that can be read, by assistant. */
export const FORMATS: ReadonlyMap<Assistant, Format> = new Map([claudeCode, codex].map((format) => [format.assistant, format]))
