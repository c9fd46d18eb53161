import { OutboundError, type OutboundFailure, Refusal } from '../errors.ts'
import type { Spoken } from './connection.ts'
import type { Scrub } from './scrub.ts'

/** Why an upstream gave no result: one word, for receipts and counters, and a sentence for the caller. */
export type Failure = { kind: OutboundFailure | 'credentials' | 'status' | 'protocol' | 'secret' | 'internal'; text: string }

/** What is said of an error. It holds nothing of the integration's address and headers, even where the upstream repeats them. */
export function toFailure(scrub: Scrub, error: unknown): Failure {
  if (error instanceof OutboundError) return { kind: error.failure, text: error.message }
  const { name, message = '', status, code } = error as { name?: string; message?: string; status?: number; code?: unknown }
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') return toFailure(scrub, new OutboundError('broken'))
  if (status === 401 || status === 403 || name === 'UnauthorizedError')
    return { kind: 'credentials', text: 'it does not accept its credentials' }
  if (typeof status === 'number') return { kind: 'status', text: `it answered with HTTP status ${status}` }
  if (typeof code === 'number') return { kind: 'protocol', text: `it answered with error ${code}: ${scrub(String(message))}` }
  return { kind: 'protocol', text: 'its answer is not what the protocol asks for' }
}

/** What the thread says of an upstream that gave no result. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  constructor(
    readonly failure: Failure,
    /** Whether the upstream does not know the tool (any more). */
    readonly isUnknownTool: boolean,
    readonly spoken: Spoken,
  ) {
    super(failure.text)
  }
}

/** Why a question came to nothing: the upstream's part of it as the thread told it, and ours. */
export function findFailure(error: unknown): Failure {
  if (error instanceof UpstreamFailure) return error.failure
  if (error instanceof OutboundError) return { kind: error.failure, text: error.message }
  if (error instanceof Refusal) return { kind: 'secret', text: error.message }
  throw error
}
