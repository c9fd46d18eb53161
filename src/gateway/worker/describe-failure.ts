import { OutboundError } from '../../errors.ts'
import type { Failure } from '../messages.ts'
import type { Scrub } from './scrub.ts'

/** Describes an error of a request to an upstream. The text contains nothing of the integration's address and headers, even if the upstream's does. */
export function describeFailure(scrub: Scrub, error: unknown): Failure {
  if (error instanceof OutboundError) return { kind: error.code, text: error.message }
  const { name, message = '', status, code } = error as { name?: string; message?: string; status?: number; code?: unknown }
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') return describeFailure(scrub, new OutboundError('broken'))
  if (status === 401 || status === 403 || name === 'UnauthorizedError')
    return { kind: 'credentials', text: 'it does not accept its credentials' }
  if (typeof status === 'number') return { kind: 'status', text: `it answered with HTTP status ${status}` }
  if (typeof code === 'number') return { kind: 'protocol', text: `it answered with error ${code}: ${scrub(String(message))}` }
  return { kind: 'protocol', text: 'its answer is not what the protocol asks for' }
}
