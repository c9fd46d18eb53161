import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import type { Assistant, Format } from './format.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'

/** The formats that can be read, by assistant. */
export const FORMATS: ReadonlyMap<Assistant, Format> = new Map(
  [claudeCode, codex, gemini, opencode, copilot].map((format) => [format.assistant, format]),
)
