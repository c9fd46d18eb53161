import { Refusal } from '../../errors.ts'
import type { Account, Department, Member, Role } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads, ControlWrites } from '../../store/control.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireName } from './name.ts'

const ADDRESS = /^[^\s@]+@[^\s@]+$/
const MAX_EMAIL_CHARACTERS = 254
/** UTF-16 units of an address that are looked at, with blanks around it. */
const MAX_GIVEN_LENGTH = 1_024
export const ROLES: Role[] = ['owner', 'admin', 'member']

export type NewMember = { email: string; name: string; role: Role; department?: Department | undefined }

/** A member, not yet kept. Throws a Refusal for a bad name or address, and for a department of another account. */
export function newMember({ clock, random }: AppContext, account: Account, { email, name, role, department }: NewMember): Member {
  const now = clock.now()
  return {
    id: random.uuid(now),
    accountId: account.id,
    email: requireEmail(email),
    name: requireName('the member name', name),
    role,
    departmentId: department === undefined ? null : ownDepartment(account.id, department),
    createdAt: now,
    removedAt: null,
  }
}

/** Makes a member of an account. Throws a Refusal for an address that is in use there. */
export async function addMember(ctx: AppContext, account: Account, wish: NewMember, by: Actor): Promise<Member> {
  const member = newMember(ctx, account, wish)
  await ctx.store.control.write(async (tx) => {
    await refuseKnownEmail(tx, member.accountId, member.email)
    await tx.insertMember(member)
    await recordEvent(
      ctx,
      tx,
      by,
      toDeed('member.add', member, { email: member.email, role: member.role, department: member.departmentId }),
    )
  })
  return member
}

/** Throws a Refusal for the address of a member of this account. What other accounts have does not matter, so that nobody learns of it here. */
export async function refuseKnownEmail(tx: ControlReads, accountId: string, email: string): Promise<void> {
  if ((await tx.findMember(email, accountId)) !== undefined) throw new Refusal(`'${email}' is already a member of the account`)
}

/** An e-mail address as it is compared: in lower case, without blanks around it. Empty for a text too long to be one. */
export function toAddress(text: string): string {
  return text.length > MAX_GIVEN_LENGTH ? '' : text.trim().toLowerCase()
}

/** An e-mail address in lower case. Throws a Refusal for what is none. */
export function requireEmail(text: string): string {
  const address = toAddress(text)
  if (!ADDRESS.test(address) || address.length > MAX_EMAIL_CHARACTERS || /\p{C}/u.test(address))
    throw new Refusal(`'${text.slice(0, MAX_EMAIL_CHARACTERS).toWellFormed()}' is not an e-mail address`)
  return address
}

/** The member of this e-mail address or id, in one account or in any. Throws a Refusal where there is none, or where several accounts have one. */
export async function requireMember({ store }: AppContext, ref: string, account?: Account): Promise<Member> {
  if (account !== undefined) return known(await store.control.findMember(ref, account.id), ref, account.id)
  const found = await store.control.findMembers(ref, 2)
  if (found.length > 1) throw new Refusal(`several accounts have a member '${ref}'; name the account too, or give the member's id`)
  return known(found[0], ref, undefined)
}

/** Moves a member to a department of their account, or out of any. What was saved for the old one stays there. */
export async function moveMember(ctx: AppContext, member: Member, department: Department | undefined, by: Actor): Promise<void> {
  const departmentId = department === undefined ? null : ownDepartment(member.accountId, department)
  await ctx.store.control.write(async (tx) => {
    const current = known(await tx.findMember(member.id), member.email, member.accountId)
    await tx.updateMember(member.id, { departmentId })
    await recordEvent(ctx, tx, by, toDeed('member.move', member, { from: current.departmentId, to: departmentId }))
  })
}

/** A role as it was typed. Throws a Refusal for another word. */
export function requireRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (role === undefined) throw new Refusal(`unknown role '${text}'; known are ${ROLES.join(', ')}`)
  return role
}

/**
 * Gives a member another role: links by which they were to come in are dead, and those that they made for others. Throws a Refusal where the
 * account would be left without an owner, and for a member of another role by now.
 */
export async function changeRole(ctx: AppContext, member: Member, role: Role, by: Actor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    if (current.role === 'owner' && role !== 'owner') await requireOtherOwner(tx, current)
    await tx.updateMember(member.id, { role })
    if (role !== current.role) {
      // Whoever was given the link when its member was less must not come in as more.
      await tx.deleteEntryLinks(member.id)
      await dropLinksOf(tx, member)
    }
    await recordEvent(ctx, tx, by, toDeed('member.role', member, { from: current.role, to: role }))
  })
}

/**
 * Removes a member: the keys they hold are dead at once, and the links they made for others; their records stay. Returns when. Throws a Refusal
 * for the last owner, and for a member of another role by now.
 */
export async function removeMember(ctx: AppContext, member: Member, by: Actor): Promise<number> {
  const removedAt = ctx.clock.now()
  await ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    if (current.role === 'owner') await requireOtherOwner(tx, current)
    await tx.updateMember(member.id, { removedAt })
    await dropLinksOf(tx, member)
    await tx.deleteAddressWish(member.id)
    await recordEvent(ctx, tx, by, toDeed('member.remove', member, { email: member.email }))
  })
  return removedAt
}

/** The member as they are now. Throws a Refusal where they are gone, or of another role than whoever acts on them was allowed to act on. */
export async function requireUnchanged(tx: ControlReads, { id, email, accountId, role }: Member): Promise<Member> {
  const current = known(await tx.findMember(id), email, accountId)
  if (current.role !== role) throw new Refusal(`the role of '${email}' was changed meanwhile; look again`)
  return current
}

/** Links and invitations that a member made and knows: they let nobody in who is trusted no more. */
async function dropLinksOf(tx: ControlWrites, { id }: Member): Promise<void> {
  await tx.deleteEntryLinksBy(`member:${id}`)
  await tx.deleteInvitationsBy(`member:${id}`)
}

function known(member: Member | undefined, ref: string, accountId: string | undefined): Member {
  if (member === undefined || (accountId !== undefined && member.accountId !== accountId)) throw new Refusal(`no member '${ref}'`)
  return member
}

function ownDepartment(accountId: string, department: Department): string {
  if (department.accountId !== accountId) throw new Refusal(`department '${department.name}' is of another account`)
  return department.id
}

async function requireOtherOwner(tx: ControlReads, { id, accountId }: Member): Promise<void> {
  const members = await tx.listMembers(accountId)
  const others = members.filter((other) => other.id !== id && other.role === 'owner' && other.removedAt === null)
  if (others.length === 0) throw new Refusal('an account keeps at least one owner')
}

const toDeed = (act: string, { id, accountId }: Member, details: AuditEntry['details']) => ({ act, accountId, target: id, details })
