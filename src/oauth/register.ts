import type { AppContext } from '../account/context.ts'
import { consumeAttempt } from '../account/limits/throttle.ts'
import { OAuthError } from '../errors.ts'
import { digestOf } from '../secrets/key.ts'
import { makeRandomSecret } from '../secrets/random-secret.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { readClientMetadata, toShownName } from './client-metadata.ts'
import { keepClient, takeNewClient } from './keep-client.ts'
import { SCOPE } from './metadata.ts'

const METHODS = ['none', 'client_secret_basic', 'client_secret_post']

/** Registers an application (RFC 7591) and gives the answer to it. Throws OAuthError, or TooMany for its address. */
export async function registerClient(ctx: AppContext, given: unknown, address: string) {
  consumeAttempt(ctx, 'registration from', address)
  consumeAttempt(ctx, 'unknown application', '')
  const metadata = readClientMetadata(given)
  // RFC 7591, 2: a client that names no method authenticates by Basic.
  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic'
  if (!METHODS.includes(method)) {
    throw new OAuthError('invalid_client_metadata', `token_endpoint_auth_method must be one of ${METHODS.join(', ')}`)
  }
  takeNewClient(ctx, address)
  const secret = method === 'none' ? undefined : makeRandomSecret(ctx.random)
  const now = ctx.clock.now()
  const client: OAuthClient = {
    id: ctx.random.uuid(now),
    kind: 'registration',
    name: toShownName(metadata.client_name),
    redirectUris: metadata.redirect_uris,
    secretDigest: secret === undefined ? null : digestOf(secret),
    readAt: now,
    usedAt: null,
  }
  await keepClient(ctx, client)
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
