import { findLiveHolder, recordFailedSignIn } from '../account/auth/authenticate.ts'
import type { AppContext } from '../account/context.ts'
import { isLive } from '../account/keys/key-state.ts'
import { consumeAttempt } from '../account/limits/throttle.ts'
import { MINUTE_MS } from '../clock.ts'
import { Unauthorized } from '../errors.ts'
import { KEY_LENGTH } from '../secrets/key.ts'
import { makeRandomSecret, sha256Hex } from '../secrets/secret.ts'
import type { KeyHolder } from '../store/key.ts'
import type { Grant } from '../store/oauth.ts'
import type { Authorization } from './authorization.ts'

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
