import type { AuditEntry, AuditWrites } from '../store/audit.ts'
import type { Caller } from './caller.ts'
import type { Means } from './means.ts'

/** Who does something, and from where. */
export type By = Pick<AuditEntry, 'actor' | 'origin'>

/** Whoever may run commands on the data folder. */
export const COMMAND_LINE: By = { actor: 'operator', origin: 'command line' }

/** What nobody asks for, and the clock does. */
export const BY_ITSELF: By = { actor: 'service', origin: null }

/** What was done. What is left out is not known; the outcome is `done` unless it says otherwise. */
export type Deed = { act: string; accountId?: string } & Partial<Pick<AuditEntry, 'projectId' | 'target' | 'outcome' | 'details'>>

/** The caller of a tool: the member who holds the key, or the service key itself. */
export function byCaller({ memberId, keyId, origin }: Caller): By {
  return { actor: memberId === undefined ? `key:${keyId}` : `member:${memberId}`, origin: origin?.() ?? null }
}

/** Adds a line to the audit log in the transaction of the change it tells of. */
export function note({ clock }: Pick<Means, 'clock'>, tx: AuditWrites, by: By, deed: Deed): Promise<void> {
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
export function noteAlone(means: Pick<Means, 'clock' | 'store'>, by: By, deed: Deed): Promise<void> {
  return means.store.control.write((tx) => note(means, tx, by, deed))
}

/**
 * Adds a line about what was done in a project's file just before, and stands whatever becomes of the line: one that cannot be written,
 * because the disk is full or another process holds the control file, goes whole to the log.
 */
export async function noteDone(means: Pick<Means, 'clock' | 'store' | 'log'>, by: By, deed: Deed): Promise<void> {
  await noteAlone(means, by, deed).catch((error) => means.log('an audit line was not written', { ...by, ...deed, error: String(error) }))
}

/** What a caller of a tool did in their project; `details` say more, never content. */
type CallDeed = Omit<Deed, 'accountId' | 'projectId'>

/** The line about an act of a caller in their project that changed nothing there. */
export function noteCall(means: Pick<Means, 'clock' | 'store'>, caller: Caller, deed: CallDeed): Promise<void> {
  return noteAlone(means, byCaller(caller), inProjectOf(caller, deed))
}

/** The same of an act that is done already, as `noteDone`. */
export function noteCallDone(means: Pick<Means, 'clock' | 'store' | 'log'>, caller: Caller, deed: CallDeed): Promise<void> {
  return noteDone(means, byCaller(caller), inProjectOf(caller, deed))
}

function inProjectOf({ accountId, projectId, keyId }: Caller, deed: CallDeed): Deed {
  return { ...deed, accountId, projectId, details: { key: keyId, ...deed.details } }
}

const DAY = 24 * 60 * 60 * 1000
const MOST_AT_ONCE = 500

/** Erases lines older than `SVC_AUDIT_DAYS`, in steps that hold nobody up. */
export async function purgeAudit({ store, clock, config }: Pick<Means, 'store' | 'clock' | 'config'>): Promise<void> {
  const before = clock.now() - config.auditDays * DAY
  while ((await store.control.write((tx) => tx.purgeAudit(before, MOST_AT_ONCE))) === MOST_AT_ONCE);
}
