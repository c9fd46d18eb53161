import type { Actor } from '../account/auth/actor.ts'
import { isLive, TOKEN_PREFIX } from '../account/auth/authenticate.ts'
import { toCaller } from '../account/auth/caller.ts'
import type { AppContext } from '../account/context.ts'
import { OAuthError } from '../errors.ts'
import { digestOf } from '../secrets/key.ts'
import { makeRandomSecret } from '../secrets/random-secret.ts'
import type { ControlWrites } from '../store/control.ts'
import type { Connection, Grant, OAuthClient } from '../store/oauth.ts'
import { requireResource } from './authorization.ts'
import { endByCode, newConnection, noteConnection } from './connection.ts'
import { isSame } from './is-same.ts'
import { SCOPE } from './metadata.ts'
import { type Parameters, requireParameter } from './parameters.ts'

/** How long an ended connection can still be seen, in milliseconds. */
const KEPT_AFTER_EXPIRY_MS = 30 * 24 * 60 * 60 * 1000
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

type Redeeming = { client: OAuthClient; parameters: Parameters; issuer: string; address: string }

/** Turns a code into an access token. The first who presents a code uses it up; a second ends what the first got. Throws OAuthError. */
export async function redeemCode(ctx: AppContext, redeeming: Redeeming) {
  const { parameters, issuer } = redeeming
  requireResource(parameters, issuer)
  const codeDigest = digestOf(requireParameter(parameters, 'code'))
  const token = TOKEN_PREFIX + makeRandomSecret(ctx.random)
  const now = ctx.clock.now()
  const outcome = await ctx.store.control.write(async (tx) => {
    const grant = await tx.findGrant(codeDigest, 'allowed')
    if (grant === undefined) {
      await endByCode(ctx, tx, codeDigest, redeeming.address)
      return refused('the code is unknown or was used before')
    }
    await tx.deleteGrant(codeDigest)
    return findFault(grant, redeeming, now) ?? open(ctx, tx, redeeming, grant, token)
  })
  // Thrown only here: a throw inside would undo that the code is used up.
  if (outcome instanceof OAuthError) throw outcome
  return { access_token: token, token_type: 'Bearer', expires_in: Math.floor((outcome.expiresAt - now) / 1000), scope: SCOPE }
}

function findFault(grant: Grant, { client, parameters }: Redeeming, now: number): OAuthError | undefined {
  if (grant.expiresAt <= now) return refused('the code has expired')
  if (grant.clientId !== client.id) return refused('the code was issued to another client')
  if (grant.redirectUri !== parameters.redirect_uri) return refused('redirect_uri is not the one of the authorization request')
  const verifier = parameters.code_verifier ?? ''
  if (!VERIFIER.test(verifier) || !isSame(toChallenge(verifier), grant.challenge))
    return refused('code_verifier does not fit the challenge')
  return undefined
}

async function open(
  ctx: AppContext,
  tx: ControlWrites,
  { client, address }: Redeeming,
  grant: Grant,
  token: string,
): Promise<Connection | OAuthError> {
  const now = ctx.clock.now()
  const holder = await tx.findHolderOfKey(grant.keyId)
  if (holder === undefined || !isLive(holder, now)) return refused('the key that was entered is no longer valid')
  const connection = newConnection(ctx, { grant, client, key: holder.key, token })
  await tx.purgeConnections(now - KEPT_AFTER_EXPIRY_MS)
  await tx.insertConnection(connection)
  await tx.markClientUsed(client.id, now)
  const actor: Actor = { kind: 'caller', caller: toCaller(holder, true, () => address) }
  await noteConnection(ctx, tx, { ...holder, connection }, actor, { act: 'connection.open' })
  return connection
}

function refused(reason: string): OAuthError {
  return new OAuthError('invalid_grant', reason)
}

function toChallenge(verifier: string): string {
  return new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
}
