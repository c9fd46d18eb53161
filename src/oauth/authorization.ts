import type { AppContext } from '../account/context.ts'
import { OAuthError } from '../errors.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { requireClient } from './client.ts'
import { toResource } from './metadata.ts'
import { type Parameters, requireParameter } from './parameters.ts'
import { isRegistered } from './redirect-uri.ts'

const MAX_STATE_CHARACTERS = 4096
/** Of the address of a resource: to read one takes time quadratic in the marks of its host. */
const MAX_RESOURCE_LENGTH = 2_048
/** SHA-256 in base64url without padding. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** Who asks, and where the answer goes. Known to belong together before anything else of the request is judged. */
export type Asking = { client: OAuthClient; redirectUri: string; state: string | null }

/** A request for access that can be put to a person. */
export type Authorization = Asking & { challenge: string; resource: string }

/** Finds out who asks. Throws OAuthError where the answer has nowhere to go, or TooMany for the address that asks. */
export async function requireAsking(ctx: AppContext, parameters: Parameters, address: string): Promise<Asking> {
  const client = await requireClient(ctx, requireParameter(parameters, 'client_id'), address)
  const redirectUri = requireParameter(parameters, 'redirect_uri')
  if (!isRegistered(client.redirectUris, redirectUri)) {
    throw new OAuthError('invalid_request', 'redirect_uri is not one that the application registered')
  }
  return { client, redirectUri, state: parameters.state ?? null }
}

/** Reads the rest of the request. Throws OAuthError for the application. */
export function readAuthorization(asking: Asking, parameters: Parameters, issuer: string): Authorization {
  if ((asking.state ?? '').length > MAX_STATE_CHARACTERS) throw new OAuthError('invalid_request', 'state is too long')
  const type = requireParameter(parameters, 'response_type')
  if (type !== 'code') throw new OAuthError('unsupported_response_type', "response_type must be 'code'")
  if ((parameters.response_mode ?? 'query') !== 'query') throw new OAuthError('invalid_request', "response_mode must be 'query'")
  const challenge = requireParameter(parameters, 'code_challenge')
  // Without a method it would be `plain` (RFC 7636, 4.3).
  if (parameters.code_challenge_method !== 'S256') throw new OAuthError('invalid_request', "code_challenge_method must be 'S256'")
  if (!CHALLENGE.test(challenge)) throw new OAuthError('invalid_request', 'code_challenge is not a SHA-256 in base64url')
  return { ...asking, challenge, resource: requireResource(parameters, issuer) }
}

/** The resource asked for, which can only be ours; ours, too, where none was named. Throws OAuthError for another. */
export function requireResource({ resource }: Parameters, issuer: string): string {
  const ours = toResource(issuer)
  if (resource === undefined) return ours
  const given = resource.length > MAX_RESOURCE_LENGTH ? undefined : URL.parse(resource)?.href
  if (given?.replace(/\/$/, '') !== ours) throw new OAuthError('invalid_target', `resource must be ${ours}`)
  return ours
}
