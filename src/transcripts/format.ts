import type { OmissionReason } from './omitted.ts'

/** The assistants whose session histories can be read. */
export type Assistant = 'claude-code' | 'codex' | 'gemini' | 'opencode' | 'copilot'

/** One line of a history, parsed. Nothing about it is certain: formats change with each release of an assistant, and lines may come from anybody. */
export type TranscriptLine = Record<string, unknown>

/** What a person reads of a line. */
export type TranscriptEntry = {
  role: 'user' | 'assistant' | 'tool' | 'system'
  text: string
  tool?: string
  /** ISO 8601 time as the line has it. */
  at: string | null
  /** Where the format writes a message anew when it changes: the message. Of entries of one id in a session the last one counts, in the place of the first. */
  id?: string
}

/** What a line says of its session. Absent members are unknown, not empty. */
export type SessionFacts = {
  sessionId?: string
  /** The session of which this one is a fork or a subagent. */
  parentSessionId?: string
  isSubagent?: boolean
  cwd?: string
  gitBranch?: string
  /** Version of the assistant. */
  version?: string
  timestamp?: string
}

/** How an assistant writes its histories. Every function takes any object whatever and never throws; an unknown kind of line is null, `{}` or false. */
export type Format = {
  assistant: Assistant
  /** The release whose own files were read last, and when (YYYY-MM-DD). */
  verifiedWith: { version: string; date: string }
  /** The id that the assistant gave the line for good: two lines of one id are copies of each other. Null if the format has none; then its text tells lines apart. */
  recordId: (line: TranscriptLine) => string | null
  /** What is shown of the line; null for lines that hold no part of the conversation, or repeat another one. */
  toEntry: (line: TranscriptLine) => TranscriptEntry | null
  sessionOf: (line: TranscriptLine) => SessionFacts
  /** Why a member of an object anywhere in a line is not sent; undefined for what is. */
  omissionOf: (name: string, parent: TranscriptLine) => OmissionReason | undefined
}
