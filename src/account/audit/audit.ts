import type { AuditEntry, AuditWrites } from '../../store/audit.ts'
import { type Actor, toAuditSource } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'

/**
 * What was done, and to what. A missing field is null in the log, except `outcome`, which is `done`. `details` never
 * contain content or secrets.
 */
export type AuditEvent = { act: string } & Partial<
  Pick<AuditEntry, 'accountId' | 'projectId' | 'target' | 'outcome' | 'details'>
>

/**
 * Adds an event to the audit log, in the transaction of the change it is about. If the actor is a caller, account and
 * project default to the caller's, and the details name the key.
 */
export function recordEvent(
  { clock }: Pick<AppContext, 'clock'>,
  tx: AuditWrites,
  actor: Actor,
  event: AuditEvent,
): Promise<void> {
  return tx.insertAudit(toAuditEntry(clock.now(), actor, event))
}

/**
 * Adds an event in a transaction of its own: for refusals, and for changes in a project's file or on another server.
 * Never throws, since the change has already happened: an event that cannot be written, because the disk is full or
 * another process locks the control file, is written to the service's log instead.
 */
export async function recordEventAlone(
  ctx: Pick<AppContext, 'store' | 'clock' | 'log'>,
  actor: Actor,
  event: AuditEvent,
): Promise<void> {
  const write = ctx.store.control.write((tx) => recordEvent(ctx, tx, actor, event))
  await write.catch((error) =>
    ctx.log('an audit line was not written', { ...toAuditSource(actor), ...event, error: String(error) }),
  )
}

/** An event whose target belongs to an account, such as a member or a department. */
export function toEvent(
  act: string,
  { id, accountId }: { id: string; accountId: string },
  details: AuditEntry['details'] = {},
): AuditEvent {
  return { act, accountId, target: id, details }
}

/** An event as the store keeps it. `at` in milliseconds since 1970. */
export function toAuditEntry(at: number, actor: Actor, event: AuditEvent): AuditEntry {
  const caller = actor.kind === 'caller' ? actor.caller : undefined
  return {
    at,
    ...toAuditSource(actor),
    act: event.act,
    accountId: event.accountId ?? caller?.accountId ?? null,
    projectId: event.projectId ?? caller?.projectId ?? null,
    target: event.target ?? null,
    outcome: event.outcome ?? 'done',
    details: caller === undefined ? (event.details ?? {}) : { key: caller.keyId, ...event.details },
  }
}

/** The settings that differ, in words: `mode from read-only to read-write; calls per key from 100 to 200`. */
export function toChanges(before: object, after: object): string {
  const old = new Map(Object.entries(before))
  const changes = Object.entries(after).filter(([name, value]) => old.get(name) !== value)
  const toName = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return changes.map(([name, value]) => `${toName(name)} from ${old.get(name)} to ${value}`).join('; ') || 'nothing'
}

/** Whether an act is on an account as a whole, which is then the target of its event. */
export const isOnAccount = (act: string): boolean => /^(account|subscription)\./.test(act)
