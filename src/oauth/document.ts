import type { AppContext } from '../account/context.ts'
import { consumeAttempt } from '../account/limits/throttle.ts'
import { OAuthError, OutboundError } from '../errors.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { type ClientMetadata, readClientMetadata, toShownName } from './client-metadata.ts'
import { keepClient, takeNewClient } from './keep-client.ts'

const MAX_URL_CHARACTERS = 2048
const HOUR_MS = 60 * 60 * 1000
/** How long a document is taken to say what it said, and how long what it said holds while it cannot be read. */
const FRESH = HOUR_MS
const USABLE_MS = 24 * HOUR_MS
/** Bounds of one reading. A document of this kind has less than 2 KiB. */
const MAX_DOCUMENT_BYTES = 64 * 1024
const TIMEOUT_MS = 5_000

/** Whether a client id is the address of a metadata document: https, a path, nothing that could be written in two ways. */
export function isDocumentUrl(id: string): boolean {
  const url = id.length <= MAX_URL_CHARACTERS && id.startsWith('https://') ? URL.parse(id) : null
  return url !== null && url.href === id && url.pathname !== '/' && !id.includes('#') && url.username === '' && url.password === ''
}

/** The application behind a metadata document, which is read at most once an hour. Throws OAuthError, or TooMany for the address that asks. */
export async function requireDocumentClient(ctx: AppContext, id: string, address: string): Promise<OAuthClient> {
  const known = await ctx.store.control.findClient(id)
  const age = known === undefined ? Number.POSITIVE_INFINITY : ctx.clock.now() - known.readAt
  if (known !== undefined && age < FRESH) return known
  consumeAttempt(ctx, 'document from', address)
  consumeAttempt(ctx, 'unknown application', '')
  if (known === undefined) takeNewClient(ctx, address)
  try {
    const client = toClient(id, readDocument(id, await fetchDocument(ctx, id)), ctx.clock.now(), known)
    await keepClient(ctx, client)
    return client
  } catch (error) {
    if (known !== undefined && age < USABLE_MS && error instanceof OutboundError) return known
    throw toRefused(ctx, id, error)
  }
}

async function fetchDocument({ publicOutbound }: AppContext, id: string): Promise<unknown> {
  const response = await publicOutbound.fetch(id, {
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_DOCUMENT_BYTES,
  })
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
function toRefused({ log }: AppContext, id: string, error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  log('client metadata not read', { host: new URL(id).hostname, reason: error.failure })
  return new OAuthError('invalid_client', 'the client metadata document cannot be read')
}
