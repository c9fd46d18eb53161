import { Refusal } from '../../errors.ts'
import type { Department, Member, Role } from '../../store/account.ts'
import type { ControlReads, ControlWrites } from '../../store/control.ts'
import { recordEvent, toEvent } from '../audit/audit.ts'
import { type Actor, requireMayChange } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireOwnDepartment, requireUnchanged } from './member.ts'

/** What is left out stays as it is; a department of null is none. */
type MemberChange = { member: Member; role?: Role; department?: Department | null }

/**
 * Changes a member's role and department together, as one page of the console shows both; an unchanged value is not
 * recorded. Records saved for the old department stay there. Another role invalidates the member's sign-in links, and
 * links and invitations that they made: a link that somebody got while the member had a lesser role must not give them
 * the greater one.
 *
 * @throws Refusal for an actor who may not change the member or give the role, for a department of another account, if
 *   the account would have no owner left, and if the member's role has changed meanwhile; then nothing is changed.
 */
export async function changeMember(
  ctx: AppContext,
  actor: Actor,
  { member, role = member.role, department }: MemberChange,
): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    requireMayChange(actor, member.accountId, current.role, role)
    if (role !== current.role) await setRole(ctx, tx, actor, current, role)
    if (department !== undefined && (department?.id ?? null) !== current.departmentId)
      await setDepartment(ctx, tx, actor, current, department)
  })
}

/**
 * Removes a member. Their keys, and links and invitations that they made, are invalid at once; their records stay.
 * Returns the time of removal, in milliseconds since 1970.
 *
 * @throws Refusal for an actor who may not change the member, for the last owner, and if the member's role has changed
 *   meanwhile.
 */
export async function removeMember(ctx: AppContext, actor: Actor, member: Member): Promise<number> {
  const removedAt = ctx.clock.now()
  await ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    requireMayChange(actor, member.accountId, current.role)
    if (current.role === 'owner') await requireOtherOwner(tx, current)
    await tx.update('members', { id: member.id }, { removedAt })
    await deleteLinksBy(tx, member)
    await tx.delete('emailChanges', { memberId: member.id })
    await recordEvent(ctx, tx, actor, toEvent('member.remove', member, { email: member.email }))
  })
  return removedAt
}

async function setRole(ctx: AppContext, tx: ControlWrites, actor: Actor, member: Member, role: Role): Promise<void> {
  if (member.role === 'owner') await requireOtherOwner(tx, member)
  await tx.update('members', { id: member.id }, { role })
  await tx.delete('entryLinks', { memberId: member.id })
  await deleteLinksBy(tx, member)
  await recordEvent(ctx, tx, actor, toEvent('member.role', member, { from: member.role, to: role }))
}

async function setDepartment(
  ctx: AppContext,
  tx: ControlWrites,
  actor: Actor,
  member: Member,
  department: Department | null,
): Promise<void> {
  const departmentId = department === null ? null : requireOwnDepartment(member.accountId, department)
  await tx.update('members', { id: member.id }, { departmentId })
  await recordEvent(ctx, tx, actor, toEvent('member.move', member, { from: member.departmentId, to: departmentId }))
}

/**
 * Deletes links and invitations that a member made. The member knows them, and must not let anybody in once they are no
 * longer trusted.
 */
async function deleteLinksBy(tx: ControlWrites, { id }: Member): Promise<void> {
  await tx.delete('entryLinks', { madeBy: `member:${id}` })
  await tx.delete('invitations', { madeBy: `member:${id}` })
}

async function requireOtherOwner(tx: ControlReads, { id, accountId }: Member): Promise<void> {
  const owners = await tx.list('members', { accountId, role: 'owner', removedAt: null })
  if (owners.every((owner) => owner.id === id)) throw new Refusal('an account keeps at least one owner')
}
