import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { revokeKey } from '../../account/keys/revoke-key.ts'
import { removeMember } from '../../account/organizations/change-member.ts'
import type { Member } from '../../store/account.ts'
import type { Key } from '../../store/key.ts'
import { purgeRemovedOwners } from './purge.ts'

/**
 * Removes a member as `removeMember` does, and erases their session histories for good. What cannot be erased now is erased by the next purge. Returns the time of it.
 *
 * @throws Refusal as `removeMember`; then nothing is erased.
 */
export async function removeMemberAndHistories(ctx: AppContext, actor: Actor, member: Member): Promise<number> {
  const removedAt = await removeMember(ctx, actor, member)
  await purgeNow(ctx, member.accountId)
  return removedAt
}

/**
 * Revokes a key as `revokeKey` does. What a service key has uploaded is erased for good; what a member has uploaded with theirs stays theirs.
 *
 * @throws Refusal as `revokeKey`; then nothing is erased.
 */
export async function revokeKeyAndHistories(ctx: AppContext, actor: Actor, key: Key): Promise<void> {
  await revokeKey(ctx, actor, key)
  const holder = key.memberId === null ? await ctx.store.control.findHolderOfKey(key.id) : undefined
  if (holder !== undefined) await purgeNow(ctx, holder.account.id)
}

/** Who is removed is removed, also where the disk does not take the rest. */
async function purgeNow(ctx: AppContext, accountId: string): Promise<void> {
  await purgeRemovedOwners(ctx, accountId).catch((error) => ctx.log('purge failed', { account: accountId, error: String(error) }))
}
