import type { Means } from '../account/means.ts'
import { OutboundError, type OutboundFailure, Refusal } from '../errors.ts'
import type { Integration } from '../store/integration.ts'
import { decrypt } from './secret.ts'

/** Why an upstream gave no result: one word, for receipts and counters, and a sentence for the caller. */
export type Failure = { kind: OutboundFailure | 'credentials' | 'status' | 'protocol' | 'secret' | 'internal'; text: string }

const LONGEST = 500

type Given = Pick<Means, 'config'>

/** What is said of an error. It holds nothing of the integration's address and headers, even where the upstream repeats them. */
export function toFailure(means: Given, integration: Integration, error: unknown): Failure {
  if (error instanceof OutboundError) return { kind: error.failure, text: error.message }
  if (error instanceof Refusal) return { kind: 'secret', text: error.message }
  const { name, message = '', status, code } = error as { name?: string; message?: string; status?: number; code?: unknown }
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') return toFailure(means, integration, new OutboundError('broken'))
  if (status === 401 || status === 403 || name === 'UnauthorizedError')
    return { kind: 'credentials', text: 'it does not accept its credentials' }
  if (typeof status === 'number') return { kind: 'status', text: `it answered with HTTP status ${status}` }
  if (typeof code === 'number') return { kind: 'protocol', text: `it answered with error ${code}: ${scrub(means, integration, message)}` }
  return { kind: 'protocol', text: 'its answer is not what the protocol asks for' }
}

/** What an upstream says of itself, without what only the service should know. */
function scrub(means: Given, integration: Integration, message: string): string {
  const { host, hostname } = new URL(integration.url)
  const values = Object.values(decrypt(means, integration))
  const secrets = values.flatMap((value) => [value, ...value.split(' ')])
  const hidden = [integration.url, host, hostname, ...secrets].filter((text) => text.length > 3).sort((a, b) => b.length - a.length)
  const clean = hidden.reduce((text, secret) => text.replaceAll(secret, '…'), message.toWellFormed())
  return clean.replace(/[\p{C}\s]+/gu, ' ').slice(0, LONGEST)
}
