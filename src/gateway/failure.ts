import { OutboundError, Refusal } from '../errors.ts'
import type { Failure } from './messages.ts'
import type { Negotiated } from './worker/connection.ts'

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
