import type { AppContext } from '../account/context.ts'
import { consumeAttempt } from '../account/limits/throttle.ts'
import { HOUR_MS } from '../clock.ts'
import { OutboundError, type OutboundErrorCode } from '../outbound/outbound-error.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { consumeNewClient, requireStoredClient, saveClient } from './client.ts'
import { type ClientMetadata, readClientMetadata, toShownName } from './client-metadata.ts'
import { OAuthError, UnreachedDocument } from './oauth-error.ts'

const MAX_URL_CHARACTERS = 2048
/** How long a document is cached. */
const FRESH_MS = HOUR_MS
/** How long a cached document is used if it cannot be fetched again. */
const USABLE_MS = 24 * HOUR_MS
/** Real documents have less than 2 KiB. */
const MAX_DOCUMENT_BYTES = 64 * 1024
const TIMEOUT_MS = 5_000

/**
 * Whether a client id is the URL of a metadata document: https with a path, in its normal form, without fragment and
 * user information.
 */
function isDocumentUrl(id: string): boolean {
  const url = id.length <= MAX_URL_CHARACTERS && id.startsWith('https://') ? URL.parse(id) : null
  return (
    url !== null &&
    url.href === id &&
    url.pathname !== '/' &&
    !id.includes('#') &&
    url.username === '' &&
    url.password === ''
  )
}

/**
 * The application of an authorization request: a registered one, or one whose id is the URL of its metadata document,
 * which is read at most once an hour.
 *
 * @throws OAuthError for an unknown one, and for a document that cannot be read or used; UnreachedDocument if its host
 *   cannot be reached. TooMany for too many documents from one client address.
 */
export async function requireClient(ctx: AppContext, id: string, clientIp: string): Promise<OAuthClient> {
  const isRead = isDocumentUrl(id) && ctx.config.clientDocuments !== 'off'
  return isRead ? requireDocumentClient(ctx, id, clientIp) : requireStoredClient(ctx, id)
}

async function requireDocumentClient(ctx: AppContext, id: string, clientIp: string): Promise<OAuthClient> {
  const known = await ctx.store.control.find('oauthClients', { id })
  // Read in what is the future now, it was read by a wrong clock.
  const age = known === undefined ? Number.POSITIVE_INFINITY : Math.abs(ctx.clock.now() - known.readAt)
  if (known !== undefined && age < FRESH_MS) return known
  await consumeAttempt(ctx, 'document from', clientIp)
  await consumeAttempt(ctx, 'unknown application', '')
  if (known === undefined) consumeNewClient(ctx, clientIp)
  try {
    const client = toClient(id, readDocument(id, await fetchDocument(ctx, id)), ctx.clock.now())
    await saveClient(ctx, client)
    return client
  } catch (error) {
    if (known !== undefined && age < USABLE_MS && error instanceof OutboundError) return known
    throw toRefused(ctx, id, error)
  }
}

/** Statuses from this one on are of a server, or a proxy before it, that is out of order. */
const FIRST_FAULT_STATUS = 500

/** Throws OAuthError for an answer that is not a document, OutboundError for a status of 500 or more and for no answer. */
async function fetchDocument({ publicOutbound }: AppContext, id: string): Promise<unknown> {
  const response = await publicOutbound.fetch(id, {
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_DOCUMENT_BYTES,
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    if (response.status >= FIRST_FAULT_STATUS) throw new OutboundError('broken')
    throw new OAuthError('invalid_client', `the client metadata document was answered with status ${response.status}`)
  }
  try {
    return JSON.parse(await response.text())
  } catch (error) {
    if (error instanceof OutboundError) throw error
    throw new OAuthError('invalid_client', 'the client metadata document is not JSON')
  }
}

/** Reads a document. Throws OAuthError unless it names this id, and a client that authenticates without a secret. */
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

function toClient(id: string, metadata: ClientMetadata, now: number): OAuthClient {
  const name = toShownName(metadata.client_name)
  return {
    id,
    kind: 'document',
    name,
    redirectUris: metadata.redirect_uris,
    secretDigest: null,
    readAt: now,
    usedAt: null,
  }
}

/** Failures that are the application's fault. */
const FAULTS_OF_APPLICATION: OutboundErrorCode[] = ['redirect', 'size']

/**
 * The error for a document that was not read. It does not say why, so that nobody can use it to explore private
 * servers.
 */
function toRefused({ log }: AppContext, id: string, error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  const { hostname } = new URL(id)
  log('client metadata not read', { host: hostname, reason: error.code })
  if (!FAULTS_OF_APPLICATION.includes(error.code)) return new UnreachedDocument(hostname)
  return new OAuthError('invalid_client', 'the client metadata document cannot be read')
}

/** Whether client metadata documents could be fetched at the last attempt. Owned by the service. */
export type DocumentReach = { isReached: boolean }

type Context = AppContext & { documentReach: DocumentReach }

/** Documents of widespread applications, fetched to test whether that works from here. */
const TRIED_DOCUMENTS = [
  'https://claude.ai/oauth/claude-code-client-metadata',
  'https://chatgpt.com/oauth/codex/client.json',
]

export function createDocumentReach(): DocumentReach {
  return { isReached: false }
}

/**
 * Whether the server's metadata offers client metadata documents: as configured or, by default, if they could be
 * fetched. Otherwise applications register.
 */
export function offersDocuments({ config, documentReach }: Context): boolean {
  return config.clientDocuments === 'tried' ? documentReach.isReached : config.clientDocuments === 'on'
}

/** Tests within 5 seconds whether documents can be fetched, unless that is configured. Never throws. */
export async function tryDocuments(ctx: Context): Promise<void> {
  if (ctx.config.clientDocuments !== 'tried') return
  const tried = await Promise.allSettled(TRIED_DOCUMENTS.map((url) => fetchDocument(ctx, url)))
  const isReached = tried.every(({ status }) => status === 'fulfilled')
  if (ctx.documentReach.isReached && !isReached) ctx.log('client metadata documents are no longer offered')
  ctx.documentReach.isReached = isReached
}
