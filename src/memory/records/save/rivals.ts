import type { ProjectReads, ProjectStore, ProjectWrites } from '../../../store/project.ts'
import type { CurrentStatus, FactOfRecord, Rank, RecordHead, StoredRecord } from '../../../store/record.ts'
import { MAX_LISTED } from '../excerpt.ts'

/*
 * Records with the same fact key, workspace and audience state one fact; of those, the ones with different content are
 * rivals. A record whose key was given (not derived) supersedes its rivals of earlier rank, and verified rivals only if
 * it is verified itself. Which records are current is therefore a function of the records that are not forgotten, and
 * `settle` computes it again whenever one of them is forgotten or returns.
 */

/** Rivals that an operation found: at most 100 of them, those of the highest rank first, and their total number. */
export type MetRivals = { heads: RecordHead[]; total: number }

/**
 * Maximum number of records that one transaction supersedes, and of rivals that a person decides about at once. The
 * rest take further transactions.
 */
export const MAX_SETTLED_AT_ONCE = 8
/** Rivals are counted up to this number. */
const MAX_COUNTED = 50_000

/**
 * Which rivals are superseded: those with one of these statuses and, if `before` is given, with an earlier rank than
 * that.
 */
type Yielding = { statuses: CurrentStatus[]; before?: Rank }

/** What a new record supersedes: rivals that nobody has verified. */
export const UNVERIFIED: Yielding = { statuses: ['unverified'] }
/** What a record supersedes when a person verifies it: every rival. */
export const ANY_STATUS: Yielding = { statuses: ['verified', 'unverified'] }
/** What a returning record supersedes. */
const earlierThan = (record: StoredRecord, before = rankOf(record)): Yielding => ({
  statuses: statusOf(record) === 'verified' ? ['verified', 'unverified'] : ['unverified'],
  before,
})

/** The status of a record while nothing supersedes it. */
export function statusOf({ status, verifiedAt }: Pick<StoredRecord, 'status' | 'verifiedAt'>): CurrentStatus {
  return status === 'verified' || verifiedAt !== null ? 'verified' : 'unverified'
}

const rankOf = ({ verifiedAt, createdAt, seq }: RecordHead): Rank => ({ at: verifiedAt ?? createdAt, seq })

/** Reads the rivals that have one status, and changes nothing. */
export async function readRivals(reads: ProjectReads, fact: FactOfRecord, status: CurrentStatus): Promise<MetRivals> {
  const heads = await listRivals(reads, fact, { statuses: [status] }, MAX_LISTED)
  return { heads, total: heads.length < MAX_LISTED ? heads.length : await reads.countRivals(fact, status, MAX_COUNTED) }
}

/** Highest rank first: answers do not depend on the order of an engine's index. */
export const sortByRank = (heads: RecordHead[]): RecordHead[] =>
  heads.toSorted((a, b) => rankOf(b).at - rankOf(a).at || b.seq - a.seq)

/**
 * At most `limit` rivals that have one of these statuses, in the order of the statuses, and of each status in order of
 * rank.
 */
export async function listRivals(
  reads: ProjectReads,
  fact: FactOfRecord,
  { statuses, ...rest }: Yielding,
  limit: number,
): Promise<RecordHead[]> {
  if (!fact.factKeyGiven) return []
  const found: RecordHead[] = []
  for (const status of statuses) {
    found.push(...sortByRank(await reads.listRivals(fact, { ...rest, status, limit: limit - found.length })))
  }
  return found
}

type Superseder = FactOfRecord & { id: string }

/**
 * Supersedes at most `MAX_SETTLED_AT_ONCE` rivals inside a write, and returns them. `supersedeRest`, after the write,
 * supersedes the remaining ones.
 */
export async function supersedeSome(tx: ProjectWrites, by: Superseder, yielding: Yielding): Promise<RecordHead[]> {
  const superseded: RecordHead[] = []
  for (const rival of await listRivals(tx, by, yielding, MAX_SETTLED_AT_ONCE))
    if (await tx.supersede(rival.id, by.id)) superseded.push(rival)
  return superseded
}

/**
 * Supersedes, after the write, the rivals that `supersedeSome` left; `begun` are those that it superseded. Returns the
 * rivals of both.
 */
export async function supersedeRest(
  project: ProjectStore,
  by: Superseder,
  yielding: Yielding,
  begun: RecordHead[],
): Promise<MetRivals> {
  if (begun.length < MAX_SETTLED_AT_ONCE) return toMet(begun)
  const rest = await supersedeInSteps(project, by, yielding)
  return { heads: sortByRank([...begun, ...rest.heads]).slice(0, MAX_LISTED), total: begun.length + rest.total }
}

/**
 * Supersedes rivals in several writes, for as long as the record is entitled to. (A record that is itself superseded
 * still supersedes rivals of earlier rank, except the one that supersedes it.) After a crash some rivals stay current
 * until the next save of the fact supersedes them.
 */
async function supersedeInSteps(project: ProjectStore, by: Superseder, yielding: Yielding): Promise<MetRivals> {
  const met: MetRivals = { heads: [], total: 0 }
  for (;;) {
    const step = await project.write(async (tx) =>
      (await mayStillSupersede(tx, by.id, yielding)) ? supersedeSome(tx, by, yielding) : [],
    )
    met.heads.push(...step.slice(0, MAX_LISTED - met.heads.length))
    met.total += step.length
    if (step.length === 0) return met
  }
}

async function mayStillSupersede(reads: ProjectReads, id: string, { before }: Yielding): Promise<boolean> {
  const found = await reads.findHead(undefined, id)
  return found !== undefined && (before !== undefined || found.status !== 'superseded')
}

export const toMet = (heads: RecordHead[]): MetRivals => ({ heads, total: heads.length })

type Standing = Pick<StoredRecord, 'status' | 'supersededBy'>

/**
 * Decides inside a write which records are current when one returns, which was stored as current before, and returns
 * the status it has then. A record that was verified and current when it was forgotten returns as such, even beside a
 * record that was verified since; a person then chooses between the two. Supersedes the first rivals of earlier rank;
 * `supersedeEarlier`, after the write, supersedes the remaining ones.
 *
 * Ranks are times of clocks, which may have been set back. So a record of later rank that the returning one supersedes,
 * directly or through others, does not supersede it in turn: the returning one then has at least that rank.
 */
export async function settle(tx: ProjectWrites, record: StoredRecord): Promise<Standing> {
  const status = statusOf(record)
  const later = await findLaterRival(tx, record)
  const current = later && (await findCurrent(tx, later))
  const isSuperseded =
    later !== undefined &&
    current !== undefined &&
    current.id !== record.id &&
    (await tx.supersede(record.id, later.id))
  const rank = later === undefined || isSuperseded ? rankOf(record) : rankOf(later)
  // Also if the record is superseded itself: its rivals need not be rivals of the record that supersedes it, which may
  // have their content.
  await supersedeSome(tx, record, earlierThan(record, rank))
  return isSuperseded ? { status: 'superseded', supersededBy: later.id } : { status, supersededBy: null }
}

/**
 * The rival of latest rank, if it has a later one than the record, which it may supersede; a record that is verified
 * and current has none.
 */
export const findLaterRival = async (reads: ProjectReads, record: StoredRecord): Promise<RecordHead | undefined> =>
  record.status === 'verified'
    ? undefined
    : reads.findLater(record, { after: rankOf(record), isVerified: statusOf(record) === 'verified' })

/**
 * How many superseders are followed to a current record: without imports and changes of the clock there are at most
 * three.
 */
const MAX_FOLLOWED = 16

/**
 * The current record that the superseders of a record lead to; undefined if one of them does not exist, as while an
 * import has not come to it.
 */
async function findCurrent(tx: ProjectWrites, record: RecordHead): Promise<RecordHead | undefined> {
  let found: RecordHead | undefined = record
  for (let followed = 0; found?.status === 'superseded'; followed++) {
    if (followed === MAX_FOLLOWED || found.supersededBy === null) return undefined
    found = await tx.findHead(undefined, found.supersededBy)
  }
  return found
}

/** Whether rivals of earlier rank are still current beside a record that supersedes them. */
export const hasEarlierRivals = async (reads: ProjectReads, record: StoredRecord): Promise<boolean> =>
  (await listRivals(reads, record, earlierThan(record), 1)).length > 0

/** Supersedes, after the write, the rivals of earlier rank that it left. */
export async function supersedeEarlier(project: ProjectStore, record: StoredRecord): Promise<void> {
  if (await hasEarlierRivals(project, record)) await supersedeInSteps(project, record, earlierThan(record))
}
