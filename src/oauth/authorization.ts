import { findLiveHolder, recordFailedSignIn, toResourceUrl } from '../account/auth/authenticate.ts'
import type { AppContext } from '../account/context.ts'
import { isLive } from '../account/keys/visible-keys.ts'
import { consumeAttempt } from '../account/limits/throttle.ts'
import { MINUTE_MS } from '../clock.ts'
import { Unauthorized } from '../errors.ts'
import { KEY_LENGTH } from '../secrets/key.ts'
import { makeRandomSecret, sha256Hex } from '../secrets/secret.ts'
import type { KeyHolder } from '../store/account.ts'
import type { Grant, OAuthClient } from '../store/oauth.ts'
import { requireClient } from './document.ts'
import { OAuthError } from './oauth-error.ts'
import { isRegistered } from './redirect-uri.ts'

/** The parameters of a request by name; one without a value counts as not sent. */
export type Parameters = Record<string, string | undefined>

/**
 * Reads a query or a form.
 *
 * @throws OAuthError for a parameter sent twice (RFC 6749, 3.1); of `resource`, which may be sent twice (RFC 8707),
 *   because only one resource is served.
 */
export function readParameters(given: URLSearchParams): Parameters {
  const read: Parameters = {}
  for (const [name, value] of given) {
    if (value === '') continue
    if (Object.hasOwn(read, name)) throw repeated(name)
    read[name] = value
  }
  return read
}

const MAX_PARAMETER_CHARACTERS = 2_048

/**
 * The value of a parameter that must be sent.
 *
 * @throws OAuthError that names it, if it is missing or longer than 2 048 characters.
 */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters[name]
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  if (value.length > MAX_PARAMETER_CHARACTERS) throw new OAuthError('invalid_request', `${name} is too long`)
  return value
}

function repeated(name: string): OAuthError {
  return new OAuthError(name === 'resource' ? 'invalid_target' : 'invalid_request', `${name} is sent more than once`)
}

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
  if (!isRegistered(client.redirectUris, redirectUri))
    throw new OAuthError('invalid_request', 'redirect_uri is not one that the application registered')
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

/** Length of `svc_` and the displayed characters. */
const KEY_BEGINNING_CHARACTERS = 12

/**
 * The holder of the key that a person entered; undefined for every key that is not live.
 *
 * @throws TooMany for too many keys from one client address, or too many that begin alike.
 */
export async function signIn(ctx: AppContext, entered: string, clientIp: string): Promise<KeyHolder | undefined> {
  const key = entered.trim().slice(0, KEY_LENGTH + 1)
  await consumeAttempt(ctx, 'key from', clientIp)
  if (key.length >= KEY_BEGINNING_CHARACTERS)
    await consumeAttempt(ctx, 'key like', key.slice(0, KEY_BEGINNING_CHARACTERS))
  const holder = await findLiveHolder(ctx, key)
  if (holder === undefined && key !== '') await recordFailedSignIn(ctx, new Unauthorized('key'), key, () => clientIp)
  return holder
}

/** Time for a person to answer. */
const CONSENT_TIMEOUT_MS = 10 * MINUTE_MS
/** Time for the application to redeem a code. */
const CODE_LIFETIME_MS = MINUTE_MS

/**
 * Stores an authorization request with the key that the person entered. Returns the ticket with which the person
 * answers.
 */
export async function askForConsent(
  ctx: AppContext,
  authorization: Authorization,
  { key }: KeyHolder,
): Promise<string> {
  const ticket = makeRandomSecret(ctx.random)
  const { client, redirectUri, resource, challenge, state } = authorization
  const now = ctx.clock.now()
  const expiresAt = now + CONSENT_TIMEOUT_MS
  const grant: Grant = {
    digest: sha256Hex(ticket),
    stage: 'asked',
    clientId: client.id,
    keyId: key.id,
    redirectUri,
    resource,
    challenge,
    state,
    expiresAt,
  }
  await ctx.store.control.write(async (tx) => {
    await tx.delete('grants', { expiresAt: { before: now } })
    await tx.insert('grants', grant)
  })
  return ticket
}

/** Where to send the person after their answer, and the code for the application; undefined where access was denied. */
type ConsentAnswer = { redirectUri: string; state: string | null; code: string | undefined }

/**
 * Takes the person's answer, once. Undefined for a ticket that is unknown, used or expired, and for a key that is no
 * longer live.
 */
export async function takeAnswer(
  ctx: AppContext,
  ticket: string,
  allowed: boolean,
): Promise<ConsentAnswer | undefined> {
  const { store, clock, random } = ctx
  const code = makeRandomSecret(random)
  return store.control.write(async (tx) => {
    const grant = await tx.find('grants', { digest: sha256Hex(ticket), stage: 'asked' })
    if (grant === undefined) return undefined
    await tx.delete('grants', { digest: grant.digest })
    const holder = await tx.findKeyHolder({ id: grant.keyId })
    const now = clock.now()
    if (grant.expiresAt <= now || holder === undefined || !isLive(holder, now)) return undefined
    const { redirectUri, state } = grant
    if (!allowed) return { redirectUri, state, code: undefined }
    await tx.insert('grants', {
      ...grant,
      digest: sha256Hex(code),
      stage: 'allowed',
      expiresAt: now + CODE_LIFETIME_MS,
    })
    return { redirectUri, state, code }
  })
}
