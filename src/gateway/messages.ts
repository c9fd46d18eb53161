import { Refusal } from '../errors.ts'
import { OutboundError, type OutboundErrorCode } from '../outbound/outbound-error.ts'
import type { UnpickedTool } from '../store/integration.ts'
import type { Headers } from './credentials.ts'
import type { Progress } from './progress.ts'
import type { Negotiated } from './worker/connection.ts'
import type { SkippedTool } from './worker/read-tools.ts'

/** The messages between the service and the worker thread that calls upstreams. */

/**
 * What the worker needs to know about an integration. Each stored version of an integration has a `connectionId` for
 * lists, and one for each session.
 */
export type UpstreamTarget = {
  connectionId: number
  accountId: string
  url: string
  headers: Headers
  timeoutMs: number
  maxBytes: number
  /** The integration's allow-list of tools; null for all. */
  picked: string[] | null
}

/**
 * `args` is JSON. `schema` is the tool's input schema as JSON if some arguments must be repeated in HTTP headers.
 * `reportsProgress`: the upstream is asked for progress, which then extends the time limit of the call.
 */
export type CallRequest = {
  kind: 'call'
  target: UpstreamTarget
  tool: string
  args: string
  schema: string | undefined
  reportsProgress: boolean
  /** The member of a structured content that holds the guard's warning. */
  markField: string
}
export type ListRequest = { kind: 'list'; target: UpstreamTarget }
export type UpstreamRequest = CallRequest | ListRequest

export type ToWorker =
  | { kind: 'configure'; allow: string[] }
  | { kind: 'request'; id: number; request: UpstreamRequest }
  /** Asks for the next chunk of a large result. */
  | { kind: 'pull'; id: number }
  /** Nobody waits for the result any more: cancels a request in progress and frees the memory of a large result. */
  | { kind: 'release'; id: number }
  | { kind: 'disconnect'; connectionId: number }
  | { kind: 'ping' }
  | { kind: 'close' }

/**
 * The result of `tools/call` as JSON without the `_meta` that the guard adds, and the number of bytes it was read from.
 * `text` is undefined for a large result, which stays in the worker until it is released and is pulled in chunks.
 */
export type CallResult = {
  kind: 'call'
  text: string | undefined
  meta: object | undefined
  isError: boolean
  bytes: number
}

/** A list of tools, each the JSON of an `UpstreamTool`, so that they can be parsed one at a time. */
export type ListResult = {
  kind: 'list'
  tools: string[]
  unpicked: UnpickedTool[]
  skipped: SkippedTool[]
  ttlMs: number | undefined
} & Negotiated

export type UpstreamResult = CallResult | ListResult

/** Why an upstream gave no result: a word for the audit log, and a sentence for the caller. */
export type Failure = {
  kind: OutboundErrorCode | 'credentials' | 'status' | 'protocol' | 'secret' | 'internal'
  text: string
}

/** Values from an upstream are passed as text, since cloning objects would take time on the service's event loop. */
export type FromWorker =
  | { kind: 'result'; id: number; result: UpstreamResult }
  /** The latest progress of a call, at most once in a second. */
  | { kind: 'progress'; id: number; progress: Progress }
  /** UTF-8; undefined after the last chunk. */
  | { kind: 'chunk'; id: number; chunk: Uint8Array | undefined }
  | ({ kind: 'failure'; id: number; failure: Failure; isUnknownTool: boolean } & Negotiated)
  /** The upstream notified that its list of tools has changed. */
  | { kind: 'list-changed'; connectionId: number }
  | { kind: 'pong' }

/** An upstream gave no result for a request, as reported by the worker. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  constructor(
    readonly failure: Failure,
    /** Whether the upstream does not know the tool, or no longer does. */
    readonly isUnknownTool: boolean,
    readonly negotiated: Negotiated,
  ) {
    super(failure.text)
  }
}

/**
 * A call that was refused before anything was sent, as opposed to a failure of the upstream or of its credential. The
 * caller reads the message.
 */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  constructor(
    readonly reason: 'many' | 'no_tool' | 'read_only' | 'withheld',
    message: string,
    readonly advice?: string,
  ) {
    super(message)
  }
}

/**
 * Why a request to an upstream failed. Rethrows anything but an UpstreamFailure, an OutboundError, or a Refusal, which
 * means that a credential cannot be decrypted.
 */
export function toFailure(error: unknown): Failure {
  if (error instanceof UpstreamFailure) return error.failure
  if (error instanceof OutboundError) return { kind: error.code, text: error.message }
  if (error instanceof Refusal) return { kind: 'secret', text: error.message }
  throw error
}
