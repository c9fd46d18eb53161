import { digestOf } from '../account/key.ts'
import type { Means } from '../account/means.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { revokeConnection } from './connection.ts'
import { type Parameters, requireParameter } from './parameters.ts'

/** Ends the connection of a token that its own client gives back (RFC 7009); nothing comes of any other. Throws OAuthError. */
export async function revokeToken(means: Means, client: OAuthClient, parameters: Parameters, address: string): Promise<void> {
  const digest = digestOf(requireParameter(parameters, 'token'))
  const holder = await means.store.control.findConnectionHolder(digest)
  if (holder === undefined || holder.connection.clientId !== client.id) return
  await revokeConnection(means, holder, { actor: `key:${holder.key.id}`, origin: address })
}
