import { isDeeperThan, isObject } from '../jsonrpc.ts'
import type { OmissionReason } from './omitted.ts'

/** The assistants whose session histories can be read. */
export const ASSISTANTS = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot'] as const

export type Assistant = (typeof ASSISTANTS)[number]

export const isAssistant = (name: string): name is Assistant => ASSISTANTS.some((one) => one === name)

/**
 * One parsed line of a history. Nothing about it is certain: formats change with each release of an assistant, and
 * anybody may have written the line.
 */
export type TranscriptLine = Record<string, unknown>

/** What is shown of a line. */
export type TranscriptEntry = {
  role: 'user' | 'assistant' | 'tool' | 'system'
  text: string
  tool?: string
  /** The text replaces, for the model, what came before: the session was compacted. */
  isSummary?: true
  /** ISO 8601 time as the line has it. */
  at: string | null
}

/** A call of a tool, with its arguments as the line has them. */
export type ToolCall = { tool: string | undefined; input: unknown }

/** What an assistant said on a line, without its reasoning, and the tools that it called there. */
export type AssistantTurn = { text: string; calls: ToolCall[] }

/** Tokens that the model read and wrote. A later usage of a session with the same id replaces an earlier one. */
export type TokenUsage = { id: string; input: number; output: number }

/** Facts about the session in a line. Absent members are unknown, not empty. */
export type SessionFacts = {
  sessionId?: string
  /** The session that this one is a fork or a subagent of. */
  parentSessionId?: string
  isSubagent?: boolean
  cwd?: string
  gitBranch?: string
  /** Version of the assistant. */
  version?: string
  timestamp?: string
}

/**
 * The history format of an assistant. Every function accepts any object and never throws; an unknown kind of line gives
 * null, `{}` or false.
 */
export type Format = {
  assistant: Assistant
  /** The latest release whose files were tested, and when (YYYY-MM-DD). */
  verifiedWith: { version: string; date: string }
  /** What is shown of the line; null for a line that is not part of the conversation, or repeats another one. */
  toEntry: (line: TranscriptLine) => TranscriptEntry | null
  /** Undefined for a line that is not the assistant's. */
  turnOf: (line: TranscriptLine) => AssistantTurn | undefined
  /** Absent for an assistant that does not write it down. */
  usageOf?: (line: TranscriptLine) => TokenUsage | undefined
  sessionOf: (line: TranscriptLine) => SessionFacts
  /**
   * What identifies the line in its session. A later line with the same id is the same one, written anew. Undefined if
   * the line has no id; its position identifies it then.
   */
  idOf: (line: TranscriptLine) => string | undefined
  /** Why a member of an object anywhere in a line is not sent; undefined if it is sent. */
  omissionOf: (name: string, parent: TranscriptLine) => OmissionReason | undefined
}

/** The value if it is a string that is not empty. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value if it is an object and not a list, otherwise an empty object. */
export function toObject(value: unknown): TranscriptLine {
  return isObject(value) ? value : {}
}

/** The objects of a list; none of anything else. */
export function toObjects(value: unknown): TranscriptLine[] {
  return Array.isArray(value) ? value.map(toObject) : []
}

/** The sum of the values that are numbers from 0 on. */
export function sumOf(...values: unknown[]): number {
  return values.reduce<number>((sum, one) => (typeof one === 'number' && one >= 0 ? sum + one : sum), 0)
}

/** Replaces an image in a text. */
export const IMAGE = '[image]'

/** Maximum nesting depth of JSON that is rendered. */
export const MAX_DEPTH = 200

/**
 * The JSON of a parsed value; undefined if it is nested deeper than `MAX_DEPTH`, since rendering that takes seconds or
 * fails.
 */
export function toJson(value: unknown): string | undefined {
  return isDeeperThan(value, MAX_DEPTH) ? undefined : JSON.stringify(value)
}

/**
 * A value as readable text: a string as it is, any other value as JSON; empty for nothing and for what is nested too
 * deeply.
 */
export function toReadable(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (toJson(value) ?? '')
}

/** Facts without the members that are unknown. */
export function toFacts(facts: { [Name in Exclude<keyof SessionFacts, 'isSubagent'>]?: unknown }): SessionFacts {
  const known = Object.entries(facts).filter(([, value]) => toText(value) !== undefined)
  return Object.fromEntries(known) as SessionFacts
}

/** The texts, one below the other, without those that are empty. */
export function joinTexts(texts: (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n')
}

/** What is shown of a line, without its time. */
export type Shown = Omit<TranscriptEntry, 'at'>

/** The entry of a line with its time; null if there is no text to show. */
export function toTimedEntry(shown: Shown | undefined, at: unknown): TranscriptEntry | null {
  return shown === undefined || shown.text === '' ? null : { ...shown, at: toText(at) ?? null }
}

/** The calls of tools in a list of objects, whose members have these names. */
export function toCalls(value: unknown, name: string, input: string): ToolCall[] {
  return toObjects(value).map((call) => ({ tool: toText(call[name]), input: call[input] }))
}

/** A tool call or its result, with the name of the tool if known. */
export function toToolEntry(role: Shown['role'], name: unknown, text: string): Shown {
  const tool = toText(name)
  return { role, text, ...(tool !== undefined && { tool }) }
}
