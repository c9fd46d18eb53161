import type { Account, Member } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { Caller } from './caller.ts'

/** A member and their account. */
export type AccountMember = { member: Member; account: Account }

/** A member of an account in the console. `clientIp` is null if it is not known. */
export type MemberActor = AccountMember & { kind: 'member'; clientIp: string | null }

/**
 * Who performs an operation. Every function that changes something takes an actor, checks its rights (authorize.ts) and
 * records it in the audit log.
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
