import type { AuditEntry, AuditWrites } from '../../store/audit.ts'
import type { Caller } from '../auth/caller.ts'
import type { AppContext } from '../context.ts'

/** Who does something, and from where. */
export type Actor = Pick<AuditEntry, 'actor' | 'origin'>

/** Whoever may run commands on the data folder. */
export const COMMAND_LINE: Actor = { actor: 'operator', origin: 'command line' }

/** What nobody asks for, and the clock does. */
export const SERVICE_ITSELF: Actor = { actor: 'service', origin: null }

/** What was done. What is left out is not known; the outcome is `done` unless it says otherwise. */
export type AuditEvent = { act: string; accountId?: string } & Partial<Pick<AuditEntry, 'projectId' | 'target' | 'outcome' | 'details'>>

/** The caller of a tool: the member who holds the key, or the service key itself. */
export function toActor({ memberId, keyId, clientIp }: Caller): Actor {
  return { actor: memberId === undefined ? `key:${keyId}` : `member:${memberId}`, origin: clientIp?.() ?? null }
}

/** Adds a line to the audit log in the transaction of the change it tells of. */
export function recordEvent({ clock }: AppContext, tx: AuditWrites, by: Actor, deed: AuditEvent): Promise<void> {
  return tx.insertAudit({
    at: clock.now(),
    actor: by.actor,
    origin: by.origin,
    act: deed.act,
    accountId: deed.accountId ?? null,
    projectId: deed.projectId ?? null,
    target: deed.target ?? null,
    outcome: deed.outcome ?? 'done',
    details: deed.details ?? {},
  })
}

/** Adds a line about what changed nothing in the control file: something refused, or done in a project's file or elsewhere. */
export function recordEventAlone(ctx: AppContext, by: Actor, deed: AuditEvent): Promise<void> {
  return ctx.store.control.write((tx) => recordEvent(ctx, tx, by, deed))
}

/**
 * Adds a line about what was done in a project's file just before, and stands whatever becomes of the line: one that cannot be written,
 * because the disk is full or another process holds the control file, goes whole to the log.
 */
export async function recordEventAfter(ctx: AppContext, by: Actor, deed: AuditEvent): Promise<void> {
  await recordEventAlone(ctx, by, deed).catch((error) => ctx.log('an audit line was not written', { ...by, ...deed, error: String(error) }))
}

/** What a caller of a tool did in their project; `details` say more, never content. */
type CallDeed = Omit<AuditEvent, 'accountId' | 'projectId'>

/** The line about an act of a caller in their project that changed nothing there. */
export function recordCallEvent(ctx: AppContext, caller: Caller, deed: CallDeed): Promise<void> {
  return recordEventAlone(ctx, toActor(caller), inProjectOf(caller, deed))
}

/** The same of an act that is done already, as `noteDone`. */
export function recordCallEventAfter(ctx: AppContext, caller: Caller, deed: CallDeed): Promise<void> {
  return recordEventAfter(ctx, toActor(caller), inProjectOf(caller, deed))
}

function inProjectOf({ accountId, projectId, keyId }: Caller, deed: CallDeed): AuditEvent {
  return { ...deed, accountId, projectId, details: { key: keyId, ...deed.details } }
}

const DAY_MS = 24 * 60 * 60 * 1000
const PURGE_BATCH = 500

/** Erases lines older than `SVC_AUDIT_DAYS`, in steps that hold nobody up. */
export async function purgeAudit({ store, clock, config }: AppContext): Promise<void> {
  const before = clock.now() - config.auditDays * DAY_MS
  while ((await store.control.write((tx) => tx.purgeAudit(before, PURGE_BATCH))) === PURGE_BATCH);
}
