import type { AppContext } from '../account/context.ts'
import { consumeAttempt } from '../account/limits/throttle.ts'
import { OAuthError } from '../errors.ts'
import { makeRandomSecret, sha256Hex } from '../secrets/secret.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { consumeNewClient, saveClient } from './client.ts'
import { readClientMetadata, toShownName } from './client-metadata.ts'
import { CLIENT_AUTHENTICATION_METHODS, SCOPE } from './metadata.ts'

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
