import type { Spoken } from './connection.ts'
import type { Failure } from './failure.ts'
import type { Headers } from './secret.ts'

/** An integration as the thread needs it. `line` tells one state of an integration from its next. Times in milliseconds. */
export type Target = {
  line: number
  accountId: string
  url: string
  headers: Headers
  timeoutMs: number
  maxBytes: number
  /** The only tools that are read; every one when null. */
  picked: string[] | null
}

/** A tool's call: arguments as JSON, and the tool's input schema as JSON where the call repeats arguments in headers. */
export type CallQuestion = { kind: 'call'; target: Target; tool: string; args: string; schema: string | undefined }
export type ListQuestion = { kind: 'list'; target: Target }
export type Question = CallQuestion | ListQuestion

/** What the service says to the thread. */
export type ToThread =
  | { kind: 'begin'; allow: string[] }
  | { kind: 'ask'; id: number; question: Question }
  /** Asks for the next piece of a large answer. */
  | { kind: 'read'; id: number }
  /** Nobody waits for the answer any more: a question on its way is cancelled, the room of a large answer is free. */
  | { kind: 'over'; id: number }
  | { kind: 'forget'; line: number }
  | { kind: 'ping' }
  | { kind: 'end' }

/**
 * The answer to a call: the result of `tools/call` as JSON, and what it was read from in bytes. The text of a large one stays in the thread, takes room
 * until it is over, and is asked for piece by piece.
 */
export type CallAnswer = { kind: 'call'; text: string | undefined; isError: boolean; bytes: number }

/** A list of tools, each an `UpstreamTool` as JSON: whoever reads it can do so one after the other. */
export type ListAnswer = {
  kind: 'list'
  tools: string[]
  left: { name: string; why: string }[]
  ttlMs: number | undefined
} & Spoken

export type Answer = CallAnswer | ListAnswer

/** What the thread says to the service. Values that an upstream chose are texts: to make them anew would be work of the service's event loop. */
export type FromThread =
  | { kind: 'answered'; id: number; answer: Answer }
  /** A piece in UTF-8; undefined after the last. */
  | { kind: 'piece'; id: number; piece: Uint8Array | undefined }
  | ({ kind: 'failed'; id: number; failure: Failure; isUnknownTool: boolean } & Spoken)
  /** The upstream says that its list is another now. */
  | { kind: 'changed'; line: number }
  | { kind: 'pong' }
