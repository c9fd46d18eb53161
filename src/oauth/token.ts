import type { Actor } from '../account/auth/actor.ts'
import { TOKEN_PREFIX } from '../account/auth/authenticate.ts'
import { toCaller } from '../account/auth/caller.ts'
import type { AppContext } from '../account/context.ts'
import { isLive } from '../account/keys/visible-keys.ts'
import { isSameSecret, makeRandomSecret, sha256Hex } from '../secrets/secret.ts'
import type { ControlWrites } from '../store/control.ts'
import type { Connection, Grant, OAuthClient } from '../store/oauth.ts'
import { type Parameters, requireParameter, requireResource } from './authorization.ts'
import { endByCode, hasRoom, newConnection, recordConnectionEvent, revokeConnection } from './connection.ts'
import { SCOPE } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

type TokenRequest = { client: OAuthClient; parameters: Parameters; issuer: string; clientIp: string }

/**
 * Issues an access token for a code (RFC 6749, 4.1.3). Returns the body of the response. A code works once: a second
 * use ends the connection made by the first.
 *
 * @throws OAuthError.
 */
export async function redeemCode(ctx: AppContext, request: TokenRequest) {
  const { parameters, issuer } = request
  requireResource(parameters, issuer)
  const codeDigest = sha256Hex(requireParameter(parameters, 'code'))
  const token = TOKEN_PREFIX + makeRandomSecret(ctx.random)
  const now = ctx.clock.now()
  const outcome = await ctx.store.control.write(async (tx) => {
    const grant = await tx.find('grants', { digest: codeDigest, stage: 'allowed' })
    if (grant === undefined) {
      await endByCode(ctx, tx, codeDigest, request.clientIp)
      return refused('the code is unknown or was used before')
    }
    await tx.delete('grants', { digest: codeDigest })
    return findError(grant, request, now) ?? connect(ctx, tx, request, grant, token)
  })
  // Thrown outside the transaction, which would otherwise roll back that the code is used up.
  if (outcome instanceof OAuthError) throw outcome
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: Math.floor((outcome.expiresAt - now) / 1000),
    scope: SCOPE,
  }
}

/**
 * Ends the connection of a token that its own client gives back (RFC 7009). Any other token is ignored.
 *
 * @throws OAuthError if no token is sent.
 */
export async function revokeToken(
  ctx: AppContext,
  { client, parameters, clientIp }: Omit<TokenRequest, 'issuer'>,
): Promise<void> {
  const holder = await ctx.store.control.findConnectionHolder(sha256Hex(requireParameter(parameters, 'token')))
  if (holder === undefined || holder.connection.clientId !== client.id) return
  await revokeConnection(ctx, { kind: 'application', keyId: holder.key.id, clientIp }, holder)
}

function findError(grant: Grant, { client, parameters }: TokenRequest, now: number): OAuthError | undefined {
  if (grant.expiresAt <= now) return refused('the code has expired')
  if (grant.clientId !== client.id) return refused('the code was issued to another client')
  if (grant.redirectUri !== parameters.redirect_uri)
    return refused('redirect_uri is not the one of the authorization request')
  const verifier = parameters.code_verifier ?? ''
  if (!VERIFIER.test(verifier) || !isSameSecret(toChallenge(verifier), grant.challenge))
    return refused('code_verifier does not fit the challenge')
  return undefined
}

async function connect(
  ctx: AppContext,
  tx: ControlWrites,
  { client, clientIp }: TokenRequest,
  grant: Grant,
  token: string,
): Promise<Connection | OAuthError> {
  const now = ctx.clock.now()
  const holder = await tx.findKeyHolder({ id: grant.keyId })
  if (holder === undefined || !isLive(holder, now)) return refused('the key that was entered is no longer valid')
  const connection = newConnection(ctx, { grant, client, key: holder.key, token })
  if (!(await hasRoom(tx, holder.key.id)))
    return refused('the key that was entered has too many connections; end some of them')
  await tx.insert('connections', connection)
  await tx.update('oauthClients', { id: client.id }, { usedAt: now })
  const actor: Actor = { kind: 'caller', caller: toCaller(holder, true, () => clientIp) }
  await recordConnectionEvent(ctx, tx, actor, { ...holder, connection }, { act: 'connection.open' })
  return connection
}

function refused(reason: string): OAuthError {
  return new OAuthError('invalid_grant', reason)
}

/** The S256 code challenge of a verifier (RFC 7636, 4.2). */
function toChallenge(verifier: string): string {
  return new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
}
