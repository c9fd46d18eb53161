import { digestOf } from '../account/key.ts'
import type { Means } from '../account/means.ts'
import { makeSecret } from '../account/secret.ts'
import { takeAttempt } from '../account/throttle.ts'
import { OAuthError } from '../errors.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { readClientMetadata, toShownName } from './client-metadata.ts'
import { keepClient, takeNewClient } from './keep-client.ts'
import { SCOPE } from './metadata.ts'

const METHODS = ['none', 'client_secret_basic', 'client_secret_post']

/** Registers an application (RFC 7591) and gives the answer to it. Throws OAuthError, or TooMany for its address. */
export async function registerClient(means: Means, given: unknown, address: string) {
  takeAttempt(means, 'registration from', address)
  takeAttempt(means, 'unknown application', '')
  const metadata = readClientMetadata(given)
  // RFC 7591, 2: a client that names no method authenticates by Basic.
  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic'
  if (!METHODS.includes(method)) {
    throw new OAuthError('invalid_client_metadata', `token_endpoint_auth_method must be one of ${METHODS.join(', ')}`)
  }
  takeNewClient(means, address)
  const secret = method === 'none' ? undefined : makeSecret(means.random)
  const now = means.clock.now()
  const client: OAuthClient = {
    id: means.random.uuid(now),
    kind: 'registration',
    name: toShownName(metadata.client_name),
    redirectUris: metadata.redirect_uris,
    secretDigest: secret === undefined ? null : digestOf(secret),
    readAt: now,
    usedAt: null,
  }
  await keepClient(means, client)
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
