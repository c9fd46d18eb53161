import { digestOf } from '../account/key.ts'
import type { Means } from '../account/means.ts'
import { isLive } from '../account/recognise.ts'
import { makeSecret } from '../account/secret.ts'
import type { KeyHolder } from '../store/control.ts'
import type { Grant } from '../store/oauth.ts'
import type { Authorization } from './authorization.ts'

/** Time to read the question and answer it, and time to redeem the code, in milliseconds. */
const TO_ANSWER = 10 * 60 * 1000
const TO_REDEEM = 60 * 1000

/** Notes that the person entered a key, and gives the ticket by which the answer is taken. */
export async function askForConsent(means: Means, authorization: Authorization, { key }: KeyHolder): Promise<string> {
  const ticket = makeSecret(means.random)
  const { client, redirectUri, resource, challenge, state } = authorization
  const now = means.clock.now()
  const expiresAt = now + TO_ANSWER
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
  await means.store.control.write(async (tx) => {
    await tx.purgeGrants(now)
    await tx.insertGrant(grant)
  })
  return ticket
}

/** What becomes of a ticket: where to send the person, and the code to give there unless access was denied. */
export type Answered = { redirectUri: string; state: string | null; code: string | undefined }

/** Takes the person's answer, once. Undefined for a ticket that is unknown, used or expired, or whose key is no longer live. */
export async function takeAnswer(means: Means, ticket: string, allowed: boolean): Promise<Answered | undefined> {
  const { store, clock, random } = means
  const code = makeSecret(random)
  return store.control.write(async (tx) => {
    const grant = await tx.findGrant(digestOf(ticket), 'asked')
    if (grant === undefined) return undefined
    await tx.deleteGrant(grant.digest)
    const holder = await tx.findHolderOfKey(grant.keyId)
    const now = clock.now()
    if (grant.expiresAt <= now || holder === undefined || !isLive(holder, now)) return undefined
    const { redirectUri, state } = grant
    if (!allowed) return { redirectUri, state, code: undefined }
    await tx.insertGrant({ ...grant, digest: digestOf(code), stage: 'allowed', expiresAt: now + TO_REDEEM })
    return { redirectUri, state, code }
  })
}
