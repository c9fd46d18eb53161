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
