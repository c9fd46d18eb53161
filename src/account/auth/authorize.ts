import { Refusal } from '../../errors.ts'
import type { Account, Member, Role } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import type { AccountMember, Actor } from './actor.ts'

/** Whether a member may change what belongs to the whole account. */
export function mayManage({ role }: Pick<Member, 'role'>): boolean {
  return role !== 'member'
}

/**
 * Requires the operator or the service.
 *
 * @throws Refusal for everybody else.
 */
export function requireOperator(actor: Actor): void {
  if (!isOperator(actor)) throw new Refusal('only the operator of the service may do this')
}

/**
 * Whether a member is the operator in the console: an owner of the first account of the service. Reads the accounts for
 * owners alone.
 */
export async function isOperatingMember(
  reads: Pick<ControlReads, 'list'>,
  { member, account }: AccountMember,
): Promise<boolean> {
  return isOwner(member) && isFirstAccount(reads, account)
}

/** Whether it is the account that was made first, whose owners are the operator in the console. */
export async function isFirstAccount(reads: Pick<ControlReads, 'list'>, { id }: Account): Promise<boolean> {
  const [first] = await reads.list('accounts', {}, { limit: 1 })
  return first?.id === id
}

/**
 * Requires an actor who may have a copy of everything: the operator, the service, or owners of its first account.
 *
 * @throws Refusal for everybody else.
 */
export async function requireOperatorOrFirstOwner(reads: Pick<ControlReads, 'list'>, actor: Actor): Promise<void> {
  if (actor.kind === 'member' && (await isOperatingMember(reads, actor))) return
  requireOperator(actor)
}

/**
 * Requires an actor who may change what belongs to a whole account: the operator, the service, its owners and admins.
 *
 * @throws Refusal for everybody else. The caller of a tool manages nothing, whoever holds its key.
 */
export function requireManager(actor: Actor, accountId: string): void {
  if (!hasRole(actor, accountId, mayManage)) throw new Refusal('only an owner or an admin of the account may do this')
}

/**
 * Requires the operator, the service or an owner of the account.
 *
 * @throws Refusal for everybody else.
 */
export function requireOwner(actor: Actor, accountId: string): void {
  if (!hasRole(actor, accountId, isOwner)) throw new Refusal('only an owner of the account may do this')
}

/**
 * Requires an actor who may make, change or remove people of all these roles in an account: the operator, the service
 * and owners any, admins all but owners.
 *
 * @throws Refusal for everybody else.
 */
export function requireMayChange(actor: Actor, accountId: string, ...roles: Role[]): void {
  requireManager(actor, accountId)
  const mayChange = !roles.includes('owner') || hasRole(actor, accountId, isOwner)
  if (!mayChange) throw new Refusal('only an owner may make, change or remove an owner')
}

/**
 * Requires an actor who may invite people of these roles by this e-mail address, or withdraw that. An invitation of the
 * same address is replaced by the new one, so its role counts too.
 *
 * @throws Refusal for everybody else.
 */
export async function requireMayInvite(
  reads: Pick<ControlReads, 'list'>,
  actor: Actor,
  accountId: string,
  email: string,
  ...roles: Role[]
): Promise<void> {
  requireManager(actor, accountId)
  const replaced = await reads.list('invitations', { accountId, email })
  requireMayChange(actor, accountId, ...roles, ...replaced.map(({ role }) => role))
}

function isOperator({ kind }: Actor): boolean {
  return kind === 'operator' || kind === 'service'
}

export function isOwner({ role }: Pick<Member, 'role'>): boolean {
  return role === 'owner'
}

function hasRole(actor: Actor, accountId: string, isEnough: (member: Member) => boolean): boolean {
  return isOperator(actor) || (actor.kind === 'member' && actor.account.id === accountId && isEnough(actor.member))
}
