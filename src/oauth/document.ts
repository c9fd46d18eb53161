import type { Means } from '../account/means.ts'
import { takeAttempt } from '../account/throttle.ts'
import { OAuthError, OutboundError } from '../errors.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { type ClientMetadata, readClientMetadata, toShownName } from './client-metadata.ts'
import { keepClient, takeNewClient } from './keep-client.ts'

const LONGEST_URL = 2048
const HOUR = 60 * 60 * 1000
/** How long a document is taken to say what it said, and how long what it said holds while it cannot be read. */
const FRESH = HOUR
const USABLE = 24 * HOUR
/** Bounds of one reading. A document of this kind has less than 2 KiB. */
const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5_000

/** Whether a client id is the address of a metadata document: https, a path, nothing that could be written in two ways. */
export function isDocumentUrl(id: string): boolean {
  const url = id.length <= LONGEST_URL && id.startsWith('https://') ? URL.parse(id) : null
  return url !== null && url.href === id && url.pathname !== '/' && !id.includes('#') && url.username === '' && url.password === ''
}

/** The application behind a metadata document, which is read at most once an hour. Throws OAuthError, or TooMany for the address that asks. */
export async function requireDocumentClient(means: Means, id: string, address: string): Promise<OAuthClient> {
  const known = await means.store.control.findClient(id)
  const age = known === undefined ? Number.POSITIVE_INFINITY : means.clock.now() - known.readAt
  if (known !== undefined && age < FRESH) return known
  takeAttempt(means, 'document from', address)
  takeAttempt(means, 'unknown application', '')
  if (known === undefined) takeNewClient(means, address)
  try {
    const client = toClient(id, readDocument(id, await fetchDocument(means, id)), means.clock.now(), known)
    await keepClient(means, client)
    return client
  } catch (error) {
    if (known !== undefined && age < USABLE && error instanceof OutboundError) return known
    throw toRefused(means, id, error)
  }
}

async function fetchDocument({ publicOutbound }: Means, id: string): Promise<unknown> {
  const response = await publicOutbound.fetch(id, { headers: { accept: 'application/json' }, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new OAuthError('invalid_client', `the client metadata document was answered with status ${response.status}`)
  }
  try {
    return JSON.parse(await response.text())
  } catch (error) {
    if (error instanceof OutboundError) throw error
    throw new OAuthError('invalid_client', 'the client metadata document is not JSON')
  }
}

/** Throws OAuthError unless the document speaks for this id, of a client that can do without a secret. */
function readDocument(id: string, document: unknown): ClientMetadata {
  const metadata = readClientMetadata(document)
  if ((document as { client_id?: unknown }).client_id !== id) {
    throw new OAuthError('invalid_client', 'the client metadata document names another client_id')
  }
  const { token_endpoint_auth_method: method = 'none', token_endpoint_auth_methods_supported: methods = [] } = metadata
  if (method === 'none' || methods.includes('none')) return metadata
  throw new OAuthError(
    'invalid_client',
    `the client metadata document asks for '${method.slice(0, 40)}'; this server takes 'none' with PKCE`,
  )
}

function toClient(id: string, metadata: ClientMetadata, now: number, known: OAuthClient | undefined): OAuthClient {
  const name = toShownName(metadata.client_name)
  return {
    id,
    kind: 'document',
    name,
    redirectUris: metadata.redirect_uris,
    secretDigest: null,
    readAt: now,
    usedAt: known?.usedAt ?? null,
  }
}

/** An address that answers no document says nothing about what else is there. */
function toRefused({ log }: Means, id: string, error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  log('client metadata not read', { host: new URL(id).hostname, reason: error.failure })
  return new OAuthError('invalid_client', 'the client metadata document cannot be read')
}
