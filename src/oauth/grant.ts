import { isLive } from '../account/auth/authenticate.ts'
import type { AppContext } from '../account/context.ts'
import { digestOf } from '../secrets/key.ts'
import { makeRandomSecret } from '../secrets/random-secret.ts'
import type { KeyHolder } from '../store/key.ts'
import type { Grant } from '../store/oauth.ts'
import type { Authorization } from './authorization.ts'

/** Time to read the question and answer it, and time to redeem the code, in milliseconds. */
const CONSENT_TIMEOUT_MS = 10 * 60 * 1000
const CODE_LIFETIME_MS = 60 * 1000

/** Notes that the person entered a key, and gives the ticket by which the answer is taken. */
export async function askForConsent(ctx: AppContext, authorization: Authorization, { key }: KeyHolder): Promise<string> {
  const ticket = makeRandomSecret(ctx.random)
  const { client, redirectUri, resource, challenge, state } = authorization
  const now = ctx.clock.now()
  const expiresAt = now + CONSENT_TIMEOUT_MS
  const grant: Grant = {
    digest: digestOf(ticket),
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
    await tx.purgeGrants(now)
    await tx.insertGrant(grant)
  })
  return ticket
}

/** What becomes of a ticket: where to send the person, and the code to give there unless access was denied. */
export type Answered = { redirectUri: string; state: string | null; code: string | undefined }

/** Takes the person's answer, once. Undefined for a ticket that is unknown, used or expired, or whose key is no longer live. */
export async function takeAnswer(ctx: AppContext, ticket: string, allowed: boolean): Promise<Answered | undefined> {
  const { store, clock, random } = ctx
  const code = makeRandomSecret(random)
  return store.control.write(async (tx) => {
    const grant = await tx.findGrant(digestOf(ticket), 'asked')
    if (grant === undefined) return undefined
    await tx.deleteGrant(grant.digest)
    const holder = await tx.findHolderOfKey(grant.keyId)
    const now = clock.now()
    if (grant.expiresAt <= now || holder === undefined || !isLive(holder, now)) return undefined
    const { redirectUri, state } = grant
    if (!allowed) return { redirectUri, state, code: undefined }
    await tx.insertGrant({ ...grant, digest: digestOf(code), stage: 'allowed', expiresAt: now + CODE_LIFETIME_MS })
    return { redirectUri, state, code }
  })
}
