import { Refusal } from '../../errors.ts'
import type { Account, Department, Member, Role } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads, ControlWrites } from '../../store/control.ts'
import { type AuditEvent, recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import { requireManager, requireMayChange, requireOperator } from '../auth/authorize.ts'
import type { AppContext } from '../context.ts'
import { requireEmail, requireName } from './names.ts'

export type NewMember = { account: Account; email: string; name: string; role: Role; department?: Department | undefined }

/**
 * A member, not stored yet.
 *
 * @throws Refusal for a bad name or e-mail address, and for a department of another account.
 */
export function newMember({ clock, random }: AppContext, { account, email, name, role, department }: NewMember): Member {
  const now = clock.now()
  return {
    id: random.uuid(now),
    accountId: account.id,
    email: requireEmail(email),
    name: requireName('the member name', name),
    role,
    departmentId: department === undefined ? null : requireOwnDepartment(account.id, department),
    createdAt: now,
    removedAt: null,
  }
}

/**
 * Makes a member of an account.
 *
 * @throws Refusal for an actor who may not, as `newMember`, and for an e-mail address in use in the account.
 */
export async function addMember(ctx: AppContext, actor: Actor, input: NewMember): Promise<Member> {
  requireMayChange(actor, input.account.id, input.role)
  const member = newMember(ctx, input)
  const { accountId, email, role, departmentId } = member
  await ctx.store.control.write(async (tx) => {
    await refuseKnownEmail(tx, accountId, email)
    await tx.insertMember(member)
    await recordEvent(ctx, tx, actor, toEvent('member.add', member, { email, role, department: departmentId }))
  })
  return member
}

/** Throws a Refusal for the e-mail address of a member of this account. Members of other accounts do not matter, so that nobody learns of them. */
export async function refuseKnownEmail(tx: ControlReads, accountId: string, email: string): Promise<void> {
  if ((await tx.findMember(email, accountId)) !== undefined) throw new Refusal(`'${email}' is already a member of the account`)
}

/**
 * The member of this e-mail address or id, not removed: of one account, for those who manage it; of any account, for the operator.
 *
 * @throws Refusal for others, where there is none, and where members of several accounts have the e-mail address.
 */
export async function requireMember({ store }: AppContext, actor: Actor, ref: string, account?: Account): Promise<Member> {
  if (account === undefined) requireOperator(actor)
  else requireManager(actor, account.id)
  if (account !== undefined) return known(await store.control.findMember(ref, account.id), ref, account.id)
  const found = await store.control.findMembers(ref, 2)
  if (found.length > 1) throw new Refusal(`several accounts have a member '${ref}'; name the account too, or give the member's id`)
  return known(found[0], ref, undefined)
}

/**
 * Moves a member to a department of their account, or out of any. Records saved for the old one stay there.
 *
 * @throws Refusal for an actor who may not change the member, and for a department of another account.
 */
export async function moveMember(
  ctx: AppContext,
  actor: Actor,
  { member, department }: { member: Member; department: Department | undefined },
): Promise<void> {
  const { id, email, accountId } = member
  const departmentId = department === undefined ? null : requireOwnDepartment(accountId, department)
  await ctx.store.control.write(async (tx) => {
    const current = known(await tx.findMember(id), email, accountId)
    requireMayChange(actor, accountId, current.role)
    await tx.updateMember(id, { departmentId })
    await recordEvent(ctx, tx, actor, toEvent('member.move', member, { from: current.departmentId, to: departmentId }))
  })
}

/**
 * Gives a member another role. Sign-in links of theirs, and links and invitations that they made, are dead: whoever was given a link when its member
 * had a lesser role must not sign in with a greater one.
 *
 * @throws Refusal for an actor who may not change the member or give the role, where the account would be left without an owner, and where the member's
 * role has changed meanwhile.
 */
export async function changeRole(ctx: AppContext, actor: Actor, { member, role }: { member: Member; role: Role }): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    requireMayChange(actor, member.accountId, current.role, role)
    if (current.role === 'owner' && role !== 'owner') await requireOtherOwner(tx, current)
    await tx.updateMember(member.id, { role })
    if (role !== current.role) {
      await tx.deleteEntryLinks(member.id)
      await deleteLinksBy(tx, member)
    }
    await recordEvent(ctx, tx, actor, toEvent('member.role', member, { from: current.role, to: role }))
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
    await tx.deleteAddressWish(member.id)
    await recordEvent(ctx, tx, actor, toEvent('member.remove', member, { email: member.email }))
  })
  return removedAt
}

/**
 * The member as the store has them now.
 *
 * @throws Refusal where they are removed, and where their role is not the one that the actor saw when deciding.
 */
export async function requireUnchanged(tx: ControlReads, { id, email, accountId, role }: Member): Promise<Member> {
  const current = known(await tx.findMember(id), email, accountId)
  if (current.role !== role) throw new Refusal(`the role of '${email}' was changed meanwhile; look again`)
  return current
}

/** Links and invitations that a member made: they know them, and must let nobody in once they are not trusted to any more. */
async function deleteLinksBy(tx: ControlWrites, { id }: Member): Promise<void> {
  await tx.deleteEntryLinksBy(`member:${id}`)
  await tx.deleteInvitationsBy(`member:${id}`)
}

function known(member: Member | undefined, ref: string, accountId: string | undefined): Member {
  if (member === undefined || (accountId !== undefined && member.accountId !== accountId)) throw new Refusal(`no member '${ref}'`)
  return member
}

function requireOwnDepartment(accountId: string, department: Department): string {
  if (department.accountId !== accountId) throw new Refusal(`department '${department.name}' is of another account`)
  return department.id
}

async function requireOtherOwner(tx: ControlReads, { id, accountId }: Member): Promise<void> {
  const members = await tx.listMembers(accountId)
  const others = members.filter((other) => other.id !== id && other.role === 'owner' && other.removedAt === null)
  if (others.length === 0) throw new Refusal('an account keeps at least one owner')
}

function toEvent(act: string, { id, accountId }: Member, details: AuditEntry['details']): AuditEvent {
  return { act, accountId, target: id, details }
}
