import { Refusal } from '../../errors.ts'
import type { Account, Member, Role } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlReads } from '../../store/control.ts'
import type { Caller } from './caller.ts'

/** A member and their account. */
export type AccountMember = { member: Member; account: Account }

/** A member of an account in the console. `clientIp` is null if it is not known. */
export type MemberActor = AccountMember & { kind: 'member'; clientIp: string | null }

/**
 * Who performs an operation. Every function that changes something takes an actor, checks its rights and records it
 * in the audit log.
 */
export type Actor =
  | { kind: 'operator'; via: 'command line' | 'first run' | 'console' }
  | { kind: 'service' }
  | MemberActor
  | { kind: 'caller'; caller: Caller }
  | { kind: 'application'; keyId: string; clientIp: string | null }
  | { kind: 'anonymous'; clientIp: string | null }

/** The operator, at the command line. */
export const COMMAND_LINE: Actor = { kind: 'operator', via: 'command line' }

/** The service itself, which needs nobody's permission. */
export const SERVICE: Actor = { kind: 'service' }

/** A member as an actor. `holder` has the member and their account, as a session does. */
export function toMemberActor({ member, account }: AccountMember, clientIp: string | null): MemberActor {
  return { kind: 'member', member, account, clientIp }
}

/** How an audit event names the actor, and where the request came from. */
export function toAuditSource(actor: Actor): Pick<AuditEntry, 'actor' | 'via'> {
  return { actor: toActorId(actor), via: toVia(actor) }
}

/**
 * An actor as the audit log and records of decisions name them: `member:<id>`, `key:<id>`, `operator`, `service` or
 * `unknown`.
 */
export function toActorId(actor: Actor): string {
  switch (actor.kind) {
    case 'member':
      return `member:${actor.member.id}`
    case 'caller':
      return actor.caller.memberId === undefined ? `key:${actor.caller.keyId}` : `member:${actor.caller.memberId}`
    case 'application':
      return `key:${actor.keyId}`
    case 'anonymous':
      return 'unknown'
    default:
      return actor.kind
  }
}

function toVia(actor: Actor): string | null {
  switch (actor.kind) {
    case 'operator':
      return actor.via
    case 'service':
      return null
    case 'caller':
      return actor.caller.clientIp?.() ?? null
    default:
      return actor.clientIp
  }
}

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

function isOperator({ kind }: Actor): boolean {
  return kind === 'operator' || kind === 'service'
}

function isOwner({ role }: Pick<Member, 'role'>): boolean {
  return role === 'owner'
}

function hasRole(actor: Actor, accountId: string, isEnough: (member: Member) => boolean): boolean {
  return isOperator(actor) || (actor.kind === 'member' && actor.account.id === accountId && isEnough(actor.member))
}
