import { toResourceUrl } from '../account/auth/authenticate.ts'
import type { AppContext } from '../account/context.ts'
import { OAuthError } from '../errors.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { requireClient } from './document.ts'
import { type Parameters, requireParameter } from './parameters.ts'
import { isRegistered } from './redirect-uri.ts'

const MAX_STATE_CHARACTERS = 4096
/** Parsing a URL takes time quadratic in the combining marks of its host. */
const MAX_RESOURCE_LENGTH = 2_048
/** SHA-256 in base64url without padding. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** An application and its registered redirect URI, to which errors of the request may be sent. */
export type AuthorizationClient = { client: OAuthClient; redirectUri: string; state: string | null }

/** A valid authorization request, ready to be shown to a person. */
export type Authorization = AuthorizationClient & { challenge: string; resource: string }

/**
 * The client of an authorization request, checked before the rest of the request.
 *
 * @throws OAuthError for an unknown client or redirect URI; it must not be sent to the redirect URI (RFC 6749,
 *   4.1.2.1). TooMany as `requireClient`.
 */
export async function requireAuthorizationClient(
  ctx: AppContext,
  parameters: Parameters,
  clientIp: string,
): Promise<AuthorizationClient> {
  const client = await requireClient(ctx, requireParameter(parameters, 'client_id'), clientIp)
  const redirectUri = requireParameter(parameters, 'redirect_uri')
  if (!isRegistered(client.redirectUris, redirectUri)) {
    throw new OAuthError('invalid_request', 'redirect_uri is not one that the application registered')
  }
  return { client, redirectUri, state: parameters.state ?? null }
}

/**
 * Reads the rest of an authorization request.
 *
 * @throws OAuthError, to be sent to the redirect URI.
 */
export function readAuthorization(client: AuthorizationClient, parameters: Parameters, issuer: string): Authorization {
  if ((client.state ?? '').length > MAX_STATE_CHARACTERS) throw new OAuthError('invalid_request', 'state is too long')
  const type = requireParameter(parameters, 'response_type')
  if (type !== 'code') throw new OAuthError('unsupported_response_type', "response_type must be 'code'")
  if ((parameters.response_mode ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', "response_mode must be 'query'")
  const challenge = requireParameter(parameters, 'code_challenge')
  // A request without a method means `plain` (RFC 7636, 4.3), which is refused too.
  if (parameters.code_challenge_method !== 'S256')
    throw new OAuthError('invalid_request', "code_challenge_method must be 'S256'")
  if (!CHALLENGE.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge is not a SHA-256 in base64url')
  return { ...client, challenge, resource: requireResource(parameters, issuer) }
}

/**
 * The resource that a token is requested for (RFC 8707): this service's, also if none is named.
 *
 * @throws OAuthError for any other.
 */
export function requireResource({ resource }: Parameters, issuer: string): string {
  const ours = toResourceUrl(issuer)
  if (resource === undefined) return ours
  const given = resource.length > MAX_RESOURCE_LENGTH ? undefined : URL.parse(resource)?.href
  if (given?.replace(/\/$/, '') !== ours) throw new OAuthError('invalid_target', `resource must be ${ours}`)
  return ours
}
