import { yieldIfDue } from '../../../cooperative.ts'
import type { Conflict, CurrentStatus, Fact, RecordHead, RecordReads } from '../../record.ts'
import type { Connection } from '../connection.ts'
import { toContentHash } from './content-hash.ts'
import { HEAD, type HeadRow, toHead } from './record-row.ts'

/** Current records of a fact, by a covering index. Its condition is repeated, or SQLite would not use it. */
const CURRENT = `from records indexed by records_current_by_fact_key
  where workspace_id = ?1 and fact_key = ?2 and audience = ?3
    and fact_key_given = 1 and forgotten_at is null and status <> 'superseded'`

/** Content with another hash is two ranges of the index: however many records have the same content, none of them is examined. */
const SIDES = ['<', '>'] as const
type Side = (typeof SIDES)[number]

const NEVER = Number.MAX_SAFE_INTEGER

type FactParams = [workspaceId: number, factKey: string, audience: string]

type RivalReads = Pick<RecordReads, 'listRivals' | 'listRivalsOfEach' | 'countRivals' | 'findNewerRival'>

/** Rivals of a record. */
export function createRivals(client: Connection): RivalReads {
  const lists = SIDES.map((side) =>
    client.statement<HeadRow, [...FactParams, CurrentStatus, hash: number, savedUntil: number, limit: number]>(
      `select ${HEAD} from (select seq as named ${CURRENT} and status = ?4 and content_hash ${side} ?5 and created_at <= ?6 limit ?7)
        cross join records on seq = named`,
    ),
  )
  const counts = SIDES.map((side) =>
    client.statement<{ rivals: number }, [...FactParams, CurrentStatus, hash: number, most: number]>(
      `select count(*) as rivals from (select 1 ${CURRENT} and status = ?4 and content_hash ${side} ?5 limit ?6)`,
    ),
  )
  const newer = client.statement<HeadRow, [...FactParams, hash: number, savedAfter: number]>(
    `select ${HEAD} from (select max(seq) as named ${CURRENT} and content_hash <> ?4 and created_at > ?5) cross join records on seq = named`,
  )
  const listRivals: RivalReads['listRivals'] = async (fact, { status, savedUntil = NEVER, limit }) => {
    const hash = toContentHash(fact.content)
    const found: HeadRow[] = []
    for (const side of lists) found.push(...side.all(...toFactParams(fact), status, hash, savedUntil, limit - found.length))
    return found.map(toHead)
  }

  async function listOfStatuses(fact: Fact, statuses: CurrentStatus[], limit: number): Promise<RecordHead[]> {
    const found: RecordHead[] = []
    for (const status of statuses) found.push(...(await listRivals(fact, { status, limit: limit - found.length })))
    return found
  }

  return {
    listRivals,
    listRivalsOfEach: async (facts, { statuses, limit }) => {
      const found: RecordHead[][] = []
      for (const fact of facts) {
        await yieldIfDue()
        found.push(fact.factKeyGiven ? await listOfStatuses(fact, statuses, limit) : [])
      }
      return found
    },
    countRivals: async (fact, status, most) => {
      const hash = toContentHash(fact.content)
      return counts.reduce((sum, side) => sum + (side.get(...toFactParams(fact), status, hash, most - sum)?.rivals ?? 0), 0)
    },
    findNewerRival: async (fact, savedAfter) => {
      const found = newer.get(...toFactParams(fact), toContentHash(fact.content), savedAfter)
      return found === null ? undefined : toHead(found)
    },
  }
}

const toFactParams = ({ workspaceId, factKey, audience }: Fact): FactParams => [workspaceId, factKey, audience]

/** Verified records of a slice: few records are verified, and a partial index leads to them. */
const VERIFIED = `select seq, fact_key_given as given, audience from (
    select seq as named from records indexed by records_by_status
      where status = 'verified' and status <> 'unverified' and forgotten_at is null and seq < ? order by seq desc limit ?
  ) cross join records on seq = named`

/** Rivals of one verified record with a status, `?2` at most on each side, by the same covering index. */
const rivalsOf = (side: Side, status: CurrentStatus) => `select other.seq as other from records as verified
  join records as other indexed by records_current_by_fact_key
    on other.workspace_id = verified.workspace_id and other.fact_key = verified.fact_key and other.audience = verified.audience
    and other.status = '${status}' and other.content_hash ${side} verified.content_hash
    and other.fact_key_given = 1 and other.forgotten_at is null and other.status <> 'superseded'
  where verified.seq = ?1 limit ?2`

/** Rivals of one verified record that are looked for on each side. Without imports and restores there are at most two in all. */
const MAX_RIVALS_PER_SIDE = 20
/** Verified records examined in one slice, unless asked otherwise: with the longest contents they take some 2 ms. */
const EXAMINED_ROWS = 16

type VerifiedRow = { seq: number; given: number; audience: string }

/** Verified records that have rivals. */
export function createConflicts(client: Connection): Pick<RecordReads, 'listConflictsSlice'> {
  const verified = client.statement<VerifiedRow, [beforeSeq: number, examine: number]>(VERIFIED)
  const prepare = (status: CurrentStatus) =>
    SIDES.map((side) => client.statement<{ other: number }, [seq: number, limit: number]>(rivalsOf(side, status)))
  const [unverifiedRivals, verifiedRivals] = [prepare('unverified'), prepare('verified')]
  const find = (statements: typeof verifiedRivals, seq: number) =>
    statements.flatMap((side) => side.all(seq, MAX_RIVALS_PER_SIDE)).map(({ other }) => other)
  /** A pair of two verified records is listed with the older one. */
  const findRivals = (seq: number) => [...find(unverifiedRivals, seq), ...find(verifiedRivals, seq).filter((other) => other > seq)]
  return {
    listConflictsSlice: async ({ visible, beforeSeq, examine = EXAMINED_ROWS }) => {
      const rows = verified.all(beforeSeq ?? Number.MAX_SAFE_INTEGER, examine)
      const found = rows.filter(({ given, audience }) => given === 1 && (visible?.includes(audience) ?? true))
      const conflicts = found.flatMap(({ seq }): Conflict[] => findRivals(seq).map((other) => ({ verified: seq, other })))
      return { conflicts, next: rows.length < examine ? undefined : rows.at(-1)?.seq }
    },
  }
}
