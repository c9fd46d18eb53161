import { yieldIfDue } from '../../../cooperative.ts'
import type { ProjectReads, ProjectStore, ProjectWrites } from '../../../store/project.ts'
import type { CurrentStatus, FactOfRecord, NewRecord, Rank, RecordHead, StoredRecord } from '../../../store/record.ts'
import { MAX_LISTED } from '../excerpt.ts'

/*
 * Records of one fact key, workspace and audience state one fact. A record whose key was given supersedes those of the fact that say something else and
 * have an earlier rank, verified ones only if it is verified itself. So of the records that are not forgotten it follows which of them are current:
 * `settle` finds it again whenever one of them goes or comes back.
 */

/** Rivals that an act met: the first 100 of them, and how many there were. */
export type MetRivals = { heads: RecordHead[]; total: number }

/** Most records that are superseded in one transaction, and that a person settles at once. More take further transactions. */
export const MAX_SETTLED_AT_ONCE = 8
/** Rivals are counted up to this number. */
const MAX_COUNTED = 50_000

/** Which rivals give way: those of these statuses, and of a rank before `before` where one is given. */
export type Yielding = { statuses: CurrentStatus[]; before?: Rank }

/** What gives way to a new record: rivals that nobody verified. */
export const UNVERIFIED: Yielding = { statuses: ['unverified'] }
/** What gives way to a record that a person verifies: every rival. */
export const ANY_STATUS: Yielding = { statuses: ['verified', 'unverified'] }
/** What gives way to a record that comes back. */
const earlierThan = (record: Returning): Yielding => ({
  statuses: statusOf(record) === 'verified' ? ['verified', 'unverified'] : ['unverified'],
  before: rankOf(record),
})

/** The status of a record while nothing supersedes it. */
export function statusOf({ status, verifiedAt }: Pick<StoredRecord, 'status' | 'verifiedAt'>): CurrentStatus {
  return status === 'verified' || verifiedAt !== null ? 'verified' : 'unverified'
}

/** A record that has no number yet gets the largest. */
const rankOf = ({ verifiedAt, createdAt, seq = Number.MAX_SAFE_INTEGER }: Returning): Rank => ({ at: verifiedAt ?? createdAt, seq })

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
 * Supersedes rivals in several writes, as long as the record may: one that is superseded itself still supersedes those of an earlier rank. A crash leaves
 * some of them current, which the next save of the fact supersedes.
 */
async function supersedeInSteps(project: ProjectStore, by: Superseder, yielding: Yielding): Promise<MetRivals> {
  const met: MetRivals = { heads: [], total: 0 }
  for (;;) {
    await yieldIfDue()
    const step = await project.write(async (tx) => ((await mayStillSupersede(tx, by.id, yielding)) ? supersedeSome(tx, by, yielding) : []))
    met.heads.push(...step.slice(0, MAX_LISTED - met.heads.length))
    met.total += step.length
    if (step.length < MAX_SETTLED_AT_ONCE) return met
  }
}

/** Supersedes every rival inside one write, however long that takes: for an import, during which this process answers nobody else. */
export async function supersedeAll(tx: ProjectWrites, by: Superseder, yielding: Yielding): Promise<void> {
  while ((await supersedeSome(tx, by, yielding)).length >= MAX_SETTLED_AT_ONCE);
}

async function mayStillSupersede(reads: ProjectReads, id: string, { before }: Yielding): Promise<boolean> {
  const found = await reads.findHead(undefined, id)
  return found !== undefined && (before !== undefined || found.status !== 'superseded')
}

export const toMet = (heads: RecordHead[]): MetRivals => ({ heads, total: heads.length })

/** A record that was saved earlier and comes into a workspace: it was restored or imported, or what superseded it has gone. */
export type Returning = Omit<NewRecord, 'entry'> & { seq?: number }
type Standing = Pick<StoredRecord, 'status' | 'supersededBy'>

/**
 * Settles inside a write who is current when a record comes back. One that was verified and current when it went comes back as that, beside what was verified
 * since: a person chooses between the two. Supersedes rivals of an earlier rank, of which `supersedeEarlier` supersedes those beyond
 * the first, and returns the status that the record takes.
 */
export async function settle(tx: ProjectWrites, record: Returning): Promise<Standing> {
  const status = statusOf(record)
  const later =
    record.status === 'verified' ? undefined : await tx.findLater(record, { after: rankOf(record), isVerified: status === 'verified' })
  // Even where it is superseded itself: what it superseded may say the same as what supersedes it.
  await supersedeSome(tx, record, earlierThan(record))
  return later === undefined ? { status, supersededBy: null } : { status: 'superseded', supersededBy: later.id }
}

/** Settles and supersedes every rival of an earlier rank inside one write, however long that takes: for an import. */
export async function settleWhole(tx: ProjectWrites, record: Returning): Promise<Standing> {
  if (record.status === 'superseded') return { status: record.status, supersededBy: record.supersededBy }
  const standing = await settle(tx, record)
  await supersedeAll(tx, record, earlierThan(record))
  return standing
}

/** Supersedes, after the write, the rivals of an earlier rank that `settle` left. */
export async function supersedeEarlier(project: ProjectStore, record: StoredRecord): Promise<void> {
  const left = await listRivals(project, record, earlierThan(record), 1)
  if (left.length > 0) await supersedeInSteps(project, record, earlierThan(record))
}
