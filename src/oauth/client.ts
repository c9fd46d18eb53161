import type { AppContext } from '../account/context.ts'
import { consumeAttempt } from '../account/limits/throttle.ts'
import { DAY_MS } from '../clock.ts'
import { isSameSecret, makeRandomSecret, sha256Hex } from '../secrets/secret.ts'
import type { ControlWrites } from '../store/control.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { readClientMetadata, toShownName } from './client-metadata.ts'
import { CLIENT_AUTHENTICATION_METHODS, SCOPE } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'

/**
 * An application that has not been connected for this long is forgotten. Its next request is answered with
 * `invalid_client`, and it registers again.
 */
const FORGOTTEN_AFTER_MS = 90 * DAY_MS
/**
 * The same for an application that was never connected: anybody may register one, and a real person answers within
 * minutes.
 */
const UNUSED_FORGOTTEN_AFTER_MS = DAY_MS
/** How long an expired connection is stored. */
const KEPT_AFTER_EXPIRY_MS = 30 * DAY_MS
/** Maximum number of stored applications that were never connected; beyond it the oldest are forgotten. */
const MAX_UNUSED = 3_000
/** New applications per day and client address, so that one address cannot displace all others. */
const MAX_NEW_PER_DAY = 1_000

/**
 * An application that is stored and not forgotten.
 *
 * @throws OAuthError for an unknown one.
 */
export async function requireStoredClient({ store, clock }: AppContext, id: string): Promise<OAuthClient> {
  const client = await store.control.find('oauthClients', { id })
  if (client === undefined || isForgotten(client, clock.now()))
    throw new OAuthError('invalid_client', 'unknown client; register again')
  return client
}

/**
 * Authenticates the application that sends a request. Its metadata document is not read again.
 *
 * @throws OAuthError for an unknown one and for a wrong secret.
 */
export async function authenticateClient(
  ctx: AppContext,
  id: string,
  secret: string | undefined,
): Promise<OAuthClient> {
  const client = await requireStoredClient(ctx, id)
  if (client.secretDigest !== null && !isSameSecret(sha256Hex(secret ?? ''), client.secretDigest)) {
    throw new OAuthError('invalid_client', 'the client secret is missing or wrong')
  }
  return client
}

/**
 * Counts a new application.
 *
 * @throws TooMany if its client address has registered too many today.
 */
export function consumeNewClient({ newClients, clock }: AppContext, clientIp: string): void {
  newClients.consume(clientIp, MAX_NEW_PER_DAY, clock.ticks())
}

/** Stores an application, or what was read of it again, and erases the oldest of too many that were never connected. */
export async function saveClient({ store }: AppContext, client: OAuthClient): Promise<void> {
  await store.control.write(async (tx) => {
    // It may have been used while its document was read.
    await tx.save('oauthClients', client, ['usedAt'])
    await keepNewest(tx, MAX_UNUSED)
  })
}

/** Erases applications that were never connected, but for the `count` that were read last. */
export async function keepNewest(tx: ControlWrites, count: number): Promise<void> {
  const surplus = await tx.list('oauthClients', { usedAt: null }, { newestFirst: true, offset: count })
  await tx.delete('oauthClients', { id: surplus.map(({ id }) => id) })
}

/** Erases applications that are forgotten at `now`, and connections that expired 30 days before. */
export async function purgeConnected(
  { store }: Pick<AppContext, 'store'>,
  _isStopped: () => boolean,
  now: number,
): Promise<void> {
  const [before, unusedBefore] = [now - FORGOTTEN_AFTER_MS, now - UNUSED_FORGOTTEN_AFTER_MS]
  await store.control.write(async (tx) => {
    await tx.delete('oauthClients', { readAt: { before: before + 1 }, usedAt: { before: before + 1 } })
    await tx.delete('oauthClients', { readAt: { before: unusedBefore + 1 }, usedAt: null })
    await tx.delete('connections', { expiresAt: { before: now - KEPT_AFTER_EXPIRY_MS } })
  })
}

function isForgotten({ readAt, usedAt }: OAuthClient, now: number): boolean {
  return usedAt === null
    ? now - readAt >= UNUSED_FORGOTTEN_AFTER_MS
    : now - Math.max(readAt, usedAt) >= FORGOTTEN_AFTER_MS
}

/**
 * Registers an application (RFC 7591). Returns the body of the response.
 *
 * @throws OAuthError for metadata that this server cannot serve. TooMany for too many from one client address, and in
 *   total.
 */
export async function registerClient(ctx: AppContext, given: unknown, clientIp: string) {
  await consumeAttempt(ctx, 'registration from', clientIp)
  await consumeAttempt(ctx, 'unknown application', '')
  const metadata = readClientMetadata(given)
  // RFC 7591, 2: a client that names no method authenticates by Basic.
  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic'
  if (!CLIENT_AUTHENTICATION_METHODS.includes(method)) {
    throw new OAuthError(
      'invalid_client_metadata',
      `token_endpoint_auth_method must be one of ${CLIENT_AUTHENTICATION_METHODS.join(', ')}`,
    )
  }
  consumeNewClient(ctx, clientIp)
  const secret = method === 'none' ? undefined : makeRandomSecret(ctx.random)
  const now = ctx.clock.now()
  const client: OAuthClient = {
    id: ctx.random.uuid(now),
    kind: 'registration',
    name: toShownName(metadata.client_name),
    redirectUris: metadata.redirect_uris,
    secretDigest: secret === undefined ? null : sha256Hex(secret),
    readAt: now,
    usedAt: null,
  }
  await saveClient(ctx, client)
  return {
    ...toRegistration(client),
    token_endpoint_auth_method: method,
    ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
  }
}

function toRegistration({ id, name, redirectUris, readAt }: OAuthClient) {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(readAt / 1000),
    ...(name !== '' && { client_name: name }),
    redirect_uris: redirectUris,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: SCOPE,
  }
}
