import type { AppContext } from '../account/context.ts'
import { digestOf } from '../secrets/key.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { revokeConnection } from './connection.ts'
import { type Parameters, requireParameter } from './parameters.ts'

/** Ends the connection of a token that its own client gives back (RFC 7009); nothing comes of any other. Throws OAuthError. */
export async function revokeToken(ctx: AppContext, client: OAuthClient, parameters: Parameters, address: string): Promise<void> {
  const digest = digestOf(requireParameter(parameters, 'token'))
  const holder = await ctx.store.control.findConnectionHolder(digest)
  if (holder === undefined || holder.connection.clientId !== client.id) return
  await revokeConnection(ctx, holder, { kind: 'application', keyId: holder.key.id, clientIp: address })
}
