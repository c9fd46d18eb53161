import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectReads, ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { CurrentStatus, FactOfRecord, NewRecord, RecordHead, StoredRecord } from '../../store/record.ts'
import { MAX_LISTED } from './excerpt.ts'

/*
 * Two current records are rivals when they have the same given fact key, workspace and audience, and different contents. This file decides which of
 * them give way: a rival that gives way becomes `superseded`.
 */

/** Rivals that an act met: the first 100 of them, and how many there were. */
export type MetRivals = { heads: RecordHead[]; total: number }

/** Most records that are superseded in one transaction, and that a person settles at once. More take further transactions. */
export const MAX_SETTLED_AT_ONCE = 8
/** Rivals are counted up to this number. */
const MAX_COUNTED = 50_000

/** Which rivals give way: those of these statuses that were saved at `savedUntil` (milliseconds since 1970) at the latest. */
export type Yielding = { statuses: CurrentStatus[]; savedUntil?: number }

/** What gives way to a new record: rivals that nobody verified. */
export const UNVERIFIED: Yielding = { statuses: ['unverified'] }
/** What gives way to a record that a person verifies: every rival. */
export const ANY_STATUS: Yielding = { statuses: ['verified', 'unverified'] }
/** What gives way to a record that was saved earlier and comes back: rivals that nobody verified and that are not newer. */
const notNewerThan = ({ createdAt }: Pick<StoredRecord, 'createdAt'>): Yielding => ({ statuses: ['unverified'], savedUntil: createdAt })

/** The rivals of one status, which stay as they are. */
export async function readRivals(reads: ProjectReads, fact: FactOfRecord, status: CurrentStatus): Promise<MetRivals> {
  const heads = await listRivals(reads, fact, { statuses: [status] }, MAX_LISTED)
  return { heads, total: heads.length < MAX_LISTED ? heads.length : await reads.countRivals(fact, status, MAX_COUNTED) }
}

/** At most `limit` rivals of these statuses, in the order of the statuses. */
export async function listRivals(
  reads: ProjectReads,
  fact: FactOfRecord,
  { statuses, ...rest }: Yielding,
  limit: number,
): Promise<RecordHead[]> {
  if (!fact.factKeyGiven) return []
  const found: RecordHead[] = []
  for (const status of statuses) found.push(...(await reads.listRivals(fact, { ...rest, status, limit: limit - found.length })))
  return found
}

type Superseder = FactOfRecord & { id: string }

/**
 * Supersedes at most `MAX_SETTLED_AT_ONCE` rivals, inside a write. Returns those. Where there may be more, `supersedeRest` supersedes them after the write.
 */
export async function supersedeSome(tx: ProjectWrites, by: Superseder, yielding: Yielding): Promise<RecordHead[]> {
  const rivals = await listRivals(tx, by, yielding, MAX_SETTLED_AT_ONCE)
  for (const { id } of rivals) await tx.updateRecord(id, { status: 'superseded', supersededBy: by.id })
  return rivals
}

/** Supersedes what `supersedeSome`, which superseded `begun`, left. Returns the rivals that both superseded. */
export async function supersedeRest(project: ProjectStore, by: Superseder, yielding: Yielding, begun: RecordHead[]): Promise<MetRivals> {
  if (begun.length < MAX_SETTLED_AT_ONCE) return toMet(begun)
  const rest = await supersedeInSteps(project, by, yielding)
  return { heads: [...begun, ...rest.heads].slice(0, MAX_LISTED), total: begun.length + rest.total }
}

/**
 * Supersedes rivals in several writes, as long as the record is current itself. A crash leaves some of them current, which the next save of the fact
 * supersedes.
 */
async function supersedeInSteps(project: ProjectStore, by: Superseder, yielding: Yielding): Promise<MetRivals> {
  const met: MetRivals = { heads: [], total: 0 }
  for (;;) {
    await yieldIfDue()
    const step = await project.write(async (tx) => ((await isCurrent(tx, by.id)) ? supersedeSome(tx, by, yielding) : []))
    met.heads.push(...step.slice(0, MAX_LISTED - met.heads.length))
    met.total += step.length
    if (step.length < MAX_SETTLED_AT_ONCE) return met
  }
}

/** Supersedes every rival inside one write, however long that takes: for an import, during which this process answers nobody else. */
export async function supersedeAll(tx: ProjectWrites, by: Superseder, yielding: Yielding): Promise<void> {
  while ((await supersedeSome(tx, by, yielding)).length >= MAX_SETTLED_AT_ONCE);
}

async function isCurrent(reads: ProjectReads, id: string): Promise<boolean> {
  const found = await reads.findHead(undefined, id)
  return found !== undefined && found.status !== 'superseded'
}

export const toMet = (heads: RecordHead[]): MetRivals => ({ heads, total: heads.length })

/** A record that was saved earlier and comes into a workspace: it was restored or imported, or its verification was taken back. */
type Returning = Omit<NewRecord, 'entry'>
type Standing = Pick<StoredRecord, 'status' | 'supersededBy'>

/**
 * Settles inside a write who is current when a record comes back: of one given fact key the newer record is, and a verified one stays beside it.
 * Supersedes older rivals, of which `supersedeOlder` supersedes those beyond the first, and returns the status that the record takes.
 */
export async function settle(tx: ProjectWrites, record: Returning): Promise<Standing> {
  const { status, supersededBy } = record
  if (!record.factKeyGiven || status === 'superseded') return { status, supersededBy }
  const newer = status === 'verified' ? undefined : await tx.findNewerRival(record, record.createdAt)
  if (newer !== undefined) return { status: 'superseded', supersededBy: newer.id }
  await supersedeSome(tx, record, notNewerThan(record))
  return { status, supersededBy }
}

/** Settles and supersedes every older rival inside one write, however long that takes: for an import. */
export async function settleWhole(tx: ProjectWrites, record: Returning): Promise<Standing> {
  const standing = await settle(tx, record)
  if (standing.status !== 'superseded') await supersedeAll(tx, record, notNewerThan(record))
  return standing
}

/** Supersedes, after the write, the older rivals that `settle` left. */
export async function supersedeOlder(project: ProjectStore, record: StoredRecord): Promise<void> {
  if (record.status === 'superseded') return
  const left = await listRivals(project, record, notNewerThan(record), 1)
  if (left.length > 0) await supersedeInSteps(project, record, notNewerThan(record))
}
