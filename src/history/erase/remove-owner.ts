import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { revokeKey } from '../../account/keys/revoke-key.ts'
import { removeMember } from '../../account/organizations/change-member.ts'
import type { Member } from '../../store/account.ts'
import type { Key } from '../../store/key.ts'
import { purgeRemovedOwners } from './purge.ts'

/**
 * Removes a member as `removeMember` does, and permanently erases their session histories. What cannot be erased now is erased by the next purge. Returns the
 * time of the removal.
 *
 * @throws Refusal as `removeMember`; then nothing is erased.
 */
export async function removeMemberAndHistories(ctx: AppContext, actor: Actor, member: Member): Promise<number> {
  const removedAt = await removeMember(ctx, actor, member)
  await purgeNow(ctx, member.accountId)
  return removedAt
}

/**
 * Revokes a key as `revokeKey` does. Uploads of a service key are permanently erased; uploads of a member stay theirs.
 *
 * @throws Refusal as `revokeKey`; then nothing is erased.
 */
export async function revokeKeyAndHistories(ctx: AppContext, actor: Actor, key: Key): Promise<void> {
  await revokeKey(ctx, actor, key)
  const holder = key.memberId === null ? await ctx.store.control.findKeyHolder({ id: key.id }) : undefined
  if (holder !== undefined) await purgeNow(ctx, holder.account.id)
}

/** Erases now; a failure, such as a full disk, does not undo the removal. */
async function purgeNow(ctx: AppContext, accountId: string): Promise<void> {
  await purgeRemovedOwners(ctx, accountId).catch((error) => ctx.log('purge failed', { account: accountId, error: String(error) }))
}
