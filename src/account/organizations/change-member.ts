import { Refusal } from '../../errors.ts'
import type { Department, Member, Role } from '../../store/account.ts'
import type { ControlReads, ControlWrites } from '../../store/control.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import { requireMayChange } from '../auth/authorize.ts'
import type { AppContext } from '../context.ts'
import { requireOwnDepartment, requireUnchanged, toMemberEvent } from './member.ts'

type MemberChange = { member: Member; role: Role; department: Department | undefined }

/**
 * Gives a member a role and a department, as one page of the console shows both; what stays the same is not recorded.
 *
 * @throws Refusal as `changeRole` and `moveMember`; then neither is changed.
 */
export async function changeMember(ctx: AppContext, actor: Actor, { member, role, department }: MemberChange): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    requireMayChange(actor, member.accountId, current.role, role)
    if (role !== current.role) await setRole(ctx, tx, actor, current, role)
    if ((department?.id ?? null) !== current.departmentId) await setDepartment(ctx, tx, actor, current, department)
  })
}

/**
 * Moves a member to a department of their account, or out of any. Records saved for the old one stay there.
 *
 * @throws Refusal for an actor who may not change the member, for a department of another account, and where the member's role has changed meanwhile.
 */
export async function moveMember(ctx: AppContext, actor: Actor, { member, department }: Omit<MemberChange, 'role'>): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    requireMayChange(actor, member.accountId, current.role)
    await setDepartment(ctx, tx, actor, current, department)
  })
}

/**
 * Gives a member another role. Sign-in links of theirs, and links and invitations that they made, are dead: whoever was given a link when its member
 * had a lesser role must not sign in with a greater one.
 *
 * @throws Refusal for an actor who may not change the member or give the role, where the account would be left without an owner, and where the member's
 * role has changed meanwhile.
 */
export async function changeRole(ctx: AppContext, actor: Actor, { member, role }: Omit<MemberChange, 'department'>): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    requireMayChange(actor, member.accountId, current.role, role)
    await setRole(ctx, tx, actor, current, role)
  })
}

/**
 * Removes a member: their keys are dead at once, and so are links and invitations that they made; their records stay. Returns the time of it, in
 * milliseconds since 1970.
 *
 * @throws Refusal for an actor who may not change the member, for the last owner, and where the member's role has changed meanwhile.
 */
export async function removeMember(ctx: AppContext, actor: Actor, member: Member): Promise<number> {
  const removedAt = ctx.clock.now()
  await ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    requireMayChange(actor, member.accountId, current.role)
    if (current.role === 'owner') await requireOtherOwner(tx, current)
    await tx.updateMember(member.id, { removedAt })
    await deleteLinksBy(tx, member)
    await tx.deleteEmailChange(member.id)
    await recordEvent(ctx, tx, actor, toMemberEvent('member.remove', member, { email: member.email }))
  })
  return removedAt
}

async function setRole(ctx: AppContext, tx: ControlWrites, actor: Actor, member: Member, role: Role): Promise<void> {
  if (member.role === 'owner' && role !== 'owner') await requireOtherOwner(tx, member)
  await tx.updateMember(member.id, { role })
  if (role !== member.role) {
    await tx.deleteEntryLinks(member.id)
    await deleteLinksBy(tx, member)
  }
  await recordEvent(ctx, tx, actor, toMemberEvent('member.role', member, { from: member.role, to: role }))
}

async function setDepartment(
  ctx: AppContext,
  tx: ControlWrites,
  actor: Actor,
  member: Member,
  department: Department | undefined,
): Promise<void> {
  const departmentId = department === undefined ? null : requireOwnDepartment(member.accountId, department)
  await tx.updateMember(member.id, { departmentId })
  await recordEvent(ctx, tx, actor, toMemberEvent('member.move', member, { from: member.departmentId, to: departmentId }))
}

/** Links and invitations that a member made: they know them, and must let nobody in once they are not trusted to any more. */
async function deleteLinksBy(tx: ControlWrites, { id }: Member): Promise<void> {
  await tx.deleteEntryLinksBy(`member:${id}`)
  await tx.deleteInvitationsBy(`member:${id}`)
}

async function requireOtherOwner(tx: ControlReads, { id, accountId }: Member): Promise<void> {
  const members = await tx.listMembers(accountId)
  const others = members.filter((other) => other.id !== id && other.role === 'owner' && other.removedAt === null)
  if (others.length === 0) throw new Refusal('an account keeps at least one owner')
}
