import { Refusal } from '../../errors.ts'
import type { Account, Department, Member, Role } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import { recordEvent, toEvent } from '../audit/audit.ts'
import { type Actor, requireManager, requireMayChange, requireOperator } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { requireEmail, requireName } from './names.ts'

/**
 * Maximum number of members of an account, which are read together in about 12 ms. Removed members count, since they
 * are still authors.
 */
const MAX_MEMBERS = 2_000

export type NewMember = {
  account: Account
  email: string
  name: string
  role: Role
  department?: Department | undefined
}

/**
 * Makes a member without storing them.
 *
 * @throws Refusal for a bad name or e-mail address, and for a department of another account.
 */
export function newMember(
  { clock, random }: AppContext,
  { account, email, name, role, department }: NewMember,
): Member {
  const now = clock.now()
  return {
    id: random.uuid(now),
    accountId: account.id,
    email: requireEmail(email),
    name: requireName('the member name', name),
    role,
    departmentId: department === undefined ? null : requireOwnDepartment(account.id, department),
    historyAccess: 'unconfirmed',
    createdAt: now,
    removedAt: null,
  }
}

/**
 * Adds a member to an account.
 *
 * @throws Refusal for an actor who may not, as `newMember`, for an e-mail address in use in the account, and if there
 *   are 2 000.
 */
export async function addMember(ctx: AppContext, actor: Actor, input: NewMember): Promise<Member> {
  requireMayChange(actor, input.account.id, input.role)
  const member = newMember(ctx, input)
  const { accountId, email, role, departmentId } = member
  await ctx.store.control.write(async (tx) => {
    await refuseKnownEmail(tx, accountId, email)
    await requireMemberRoom(tx, accountId)
    await tx.insert('members', member)
    await recordEvent(ctx, tx, actor, toEvent('member.add', member, { email, role, department: departmentId }))
  })
  return member
}

/** @throws Refusal if the account has reached its maximum number of members, removed ones included. */
export async function requireMemberRoom(tx: ControlReads, accountId: string): Promise<void> {
  if ((await tx.count('members', { accountId })) >= MAX_MEMBERS) {
    throw new Refusal(`an account has at most ${MAX_MEMBERS} members, those who were removed included`)
  }
}

/**
 * Throws a Refusal if a member of this account has the e-mail address. Other accounts are not checked, since the answer
 * would reveal their members.
 */
export async function refuseKnownEmail(tx: ControlReads, accountId: string, email: string): Promise<void> {
  if ((await tx.find('members', { accountId, email, removedAt: null })) !== undefined)
    throw new Refusal(`'${email}' is already a member of the account`, 'email')
}

/**
 * The member with this e-mail address, id or name who is not removed: of one account, for those who manage it; of any
 * account, for the operator.
 *
 * @throws Refusal for others, if there is none or one who is only invited, and if several members have the e-mail
 *   address or name.
 */
export async function requireMember(
  { store }: AppContext,
  actor: Actor,
  ref: string,
  account?: Account,
): Promise<Member> {
  if (account === undefined) requireOperator(actor)
  else requireManager(actor, account.id)
  const found = account ? [await findMemberOf(store.control, account, ref)] : await store.control.findMembers(ref, 2)
  if (found.length > 1)
    throw new Refusal(`several accounts have a member '${ref}'; name the account too, or give the member's id`)
  const invited = { email: ref.toLowerCase(), ...(account && { accountId: account.id }) }
  if (found[0] === undefined && (await store.control.count('invitations', invited)) > 0)
    throw new Refusal(`no member '${ref}' yet: the invitation was not accepted`)
  return requireKnown(found[0] ?? (await findNamed(store.control, ref, account)), ref, account?.id)
}

/**
 * The member of this name, of one account or of any that is not removed. A name with an `@` is not looked for: members
 * choose their names, and one could choose an address that the operator is about to name.
 */
async function findNamed(
  { find, list }: Pick<ControlReads, 'find' | 'list'>,
  name: string,
  account: Account | undefined,
): Promise<Member | undefined> {
  if (name.includes('@')) return undefined
  const named: Member[] = []
  for (const member of await list('members', { name, accountId: account?.id, removedAt: null }))
    if ((await find('accounts', { id: member.accountId, removedAt: null })) !== undefined) named.push(member)
  if (named.length > 1) throw new Refusal(`several members are called '${name}'; give the e-mail address or the id`)
  return named[0]
}

async function findMemberOf(
  { find }: Pick<ControlReads, 'find'>,
  { id: accountId }: Account,
  ref: string,
): Promise<Member | undefined> {
  const present = { accountId, removedAt: null }
  return (await find('members', { ...present, id: ref })) ?? find('members', { ...present, email: ref.toLowerCase() })
}

/**
 * The member as stored now.
 *
 * @throws Refusal if they are removed, or if their role is no longer the one that the actor saw when deciding.
 */
export async function requireUnchanged(tx: ControlReads, { id, email, accountId, role }: Member): Promise<Member> {
  const current = requireKnown((await tx.findMembers(id, 1))[0], email, accountId)
  if (current.role !== role) throw new Refusal(`the role of '${email}' was changed meanwhile; look again`)
  return current
}

/** @throws Refusal if there is no member, or they belong to another account. `ref` is how they were named. */
function requireKnown(member: Member | undefined, ref: string, accountId: string | undefined): Member {
  if (member === undefined || (accountId !== undefined && member.accountId !== accountId))
    throw new Refusal(`no member '${ref}'`)
  return member
}

/**
 * The id of a department.
 *
 * @throws Refusal for one of another account.
 */
export function requireOwnDepartment(accountId: string, department: Department): string {
  if (department.accountId !== accountId) throw new Refusal(`department '${department.name}' is of another account`)
  return department.id
}
