import { yieldIfDue } from '../../../cooperative.ts'
import type { Conflict, CurrentStatus, Fact, RecordHead } from '../../record.ts'
import type { RecordReads } from '../../record-verbs.ts'
import { toContentHash, toKeyHash } from '../../save-hash.ts'
import type { Connection } from '../connection.ts'
import { HEAD, type HeadRow, RECORD, type RecordRow, toHead, toRecord } from './record-row.ts'

/** Records of a fact with a status, by a covering index. Its condition is repeated, or SQLite would not use it. */
const WITH_STATUS = `from records indexed by records_by_key
  where workspace_id = ?1 and key_hash = ?2 and audience = ?3 and forgotten_at is null and status = ?4`

/** Every record of a fact with a given key, by another one. */
const OF_FACT = `from records indexed by records_by_fact_key
  where workspace_id = ?1 and key_hash = ?2 and audience = ?3 and fact_key_given = 1 and forgotten_at is null`

/** Every forgotten record of a fact with a given key, by an index of the trash alone. */
const FORGOTTEN_OF_FACT = `from records indexed by records_forgotten_by_key
  where workspace_id = ?1 and key_hash = ?2 and audience = ?3 and fact_key_given = 1 and forgotten_at is not null`

const NEVER = Number.MAX_SAFE_INTEGER

type FactParams = [workspaceId: number, keyHash: number, audience: string]
/** Another content has another hash, which is two ranges of the index: however many records have the same content, none of them is examined. */
type HashRange = [above: number, below: number]

type RivalReads = Pick<RecordReads, 'listRivals' | 'listRivalsOfEach' | 'countRivals' | 'findLater' | 'listVersions'>

/** Rivals of a record. */
export function createRivals(client: Connection): RivalReads {
  const list = client.statement<HeadRow, [...FactParams, CurrentStatus, ...HashRange, at: number, seq: number, limit: number]>(
    `select ${HEAD} from (select seq as named ${WITH_STATUS} and content_hash > ?5 and content_hash < ?6
        and (ranked_at, seq) < (?7, ?8) limit ?9) cross join records on seq = named`,
  )
  const count = client.statement<{ rivals: number }, [...FactParams, CurrentStatus, ...HashRange, most: number]>(
    `select count(*) as rivals from (select 1 ${WITH_STATUS} and content_hash > ?5 and content_hash < ?6 limit ?7)`,
  )
  const later = client.statement<HeadRow, [...FactParams, hash: number, at: number, seq: number, isVerified: boolean]>(
    `select ${HEAD} from (select seq as named ${OF_FACT} and ranked_at >= ?5 and (ranked_at, seq) > (?5, ?6)
        and content_hash <> ?4 and (verified_at is not null or not ?7)
        order by ranked_at desc, seq desc limit 1) cross join records on seq = named`,
  )
  const versions = client.statement<RecordRow, [...FactParams, limit: number]>(
    `select ${RECORD} from (
      select * from (select seq as named ${OF_FACT} order by ranked_at desc, seq desc limit ?4)
      union all select * from (select seq as named ${FORGOTTEN_OF_FACT} order by forgotten_at desc, seq desc limit ?4)
    ) cross join records on seq = named`,
  )
  const listRivals: RivalReads['listRivals'] = async (fact, { status, before = { at: NEVER, seq: NEVER }, limit }) => {
    const found: HeadRow[] = []
    for (const range of toRanges(fact)) {
      found.push(...list.all(...toFactParams(fact), status, ...range, before.at, before.seq, limit - found.length))
    }
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
      let rivals = 0
      for (const range of toRanges(fact)) rivals += count.get(...toFactParams(fact), status, ...range, most - rivals)?.rivals ?? 0
      return rivals
    },
    listVersions: async (fact, limit) => versions.all(...toFactParams(fact), limit).map(toRecord),
    findLater: async (fact, { after, isVerified }) => {
      const found = later.get(...toFactParams(fact), toContentHash(fact.content), after.at, after.seq, isVerified)
      return found === null ? undefined : toHead(found)
    },
  }
}

const toFactParams = ({ workspaceId, factKey, audience }: Omit<Fact, 'content'>): FactParams => [workspaceId, toKeyHash(factKey), audience]

/** The ranges on both sides of a content's hash. */
function toRanges({ content }: Fact): HashRange[] {
  const hash = toContentHash(content)
  return [
    [-1, hash],
    [hash, NEVER],
  ]
}

/** Whether `verified` has a rival with a status and a given key on one side of its content's hash: one step in the covering index. */
const hasRival = (side: '<' | '>', status: CurrentStatus) => `exists (select 1 from records as other indexed by records_by_key
  where other.workspace_id = verified.workspace_id and other.key_hash = verified.key_hash and other.audience = verified.audience
    and other.status = '${status}' and other.content_hash ${side} verified.content_hash and other.fact_key_given = 1 and other.forgotten_at is null)`

/** Whether any other record has the key of `verified`: most have none, and then nothing else has to be looked for. */
const HAS_OTHER = `exists (select 1 from records as other indexed by records_by_key
  where other.workspace_id = verified.workspace_id and other.key_hash = verified.key_hash and other.audience = verified.audience
    and other.forgotten_at is null and other.seq <> verified.seq)`

/**
 * Verified records of a slice, and whether they may have rivals, which few have: few records are verified, and the rows of a partial index have all that is
 * asked for.
 */
const VERIFIED = `select verified.seq, verified.audience, ${HAS_OTHER} and (${hasRival('<', 'unverified')} or ${hasRival('>', 'unverified')}
    or (verified.fact_key_given = 1 and (${hasRival('<', 'verified')} or ${hasRival('>', 'verified')}))) as hasRivals from (
    select seq, workspace_id, key_hash, audience, content_hash, fact_key_given from records indexed by records_by_status
      where status = 'verified' and status <> 'unverified' and forgotten_at is null and seq < ? order by seq desc limit ?
  ) as verified`

/** Rivals of one verified record with a status and a given key, `?2` at most on each side of its content's hash, by the same covering index. */
const rivalsOf = (side: '<' | '>', status: CurrentStatus) => `select other.seq as other from records as verified
  join records as other indexed by records_by_key
    on other.workspace_id = verified.workspace_id and other.key_hash = verified.key_hash and other.audience = verified.audience
    and other.status = '${status}' and other.content_hash ${side} verified.content_hash and other.fact_key_given = 1
    and other.forgotten_at is null
  where verified.seq = ?1 ${status === 'verified' ? 'and verified.fact_key_given = 1' : ''} limit ?2`

/** Rivals of one verified record that are looked for on each side. Without imports and restores there are at most two in total. */
const MAX_RIVALS_PER_SIDE = 20
/** Contradictions of one record that a search names. */
const MAX_CONTRADICTIONS = 8
/** Verified records examined in one slice, unless asked otherwise: they take some milliseconds. */
const EXAMINED_ROWS = 1_024

/**
 * Verified records that the record `?1` speaks against with its given key, or if it is verified, those that speak against it; of both kinds at most `?2` on a
 * side.
 */
const contradictionsOf = (side: '<' | '>') => {
  const others = (status: CurrentStatus) => `select other.seq as other from records as record
    join records as other indexed by records_by_key
      on other.workspace_id = record.workspace_id and other.key_hash = record.key_hash and other.audience = record.audience
      and other.status = '${status}' and other.content_hash ${side} record.content_hash
      and other.forgotten_at is null where record.seq = ?1 and record.forgotten_at is null`
  return {
    against: `${others('verified')} and record.status <> 'superseded' and record.fact_key_given = 1
      and (record.status = 'unverified' or other.fact_key_given = 1) limit ?2`,
    by: `${others('unverified')} and record.status = 'verified' and other.fact_key_given = 1 limit ?2`,
  }
}

type VerifiedRow = { seq: number; audience: string; hasRivals: number }

/** Verified records that have rivals. */
export function createConflicts(client: Connection): Pick<RecordReads, 'listConflictsSlice' | 'listContradictions'> {
  const verified = client.statement<VerifiedRow, [beforeSeq: number, examine: number]>(VERIFIED)
  const prepare = (status: CurrentStatus) =>
    (['<', '>'] as const).map((side) => client.statement<{ other: number }, [seq: number, limit: number]>(rivalsOf(side, status)))
  const [unverifiedRivals, verifiedRivals] = [prepare('unverified'), prepare('verified')]
  const find = (statements: typeof verifiedRivals, seq: number) =>
    statements.flatMap((side) => side.all(seq, MAX_RIVALS_PER_SIDE)).map(({ other }) => other)
  /** A pair of two verified records is listed with the older one. */
  const findRivals = (seq: number) => [...find(unverifiedRivals, seq), ...find(verifiedRivals, seq).filter((other) => other > seq)]
  const prepareSide = (sql: string) => client.statement<{ other: number }, [seq: number, limit: number]>(sql)
  const sides = (['<', '>'] as const).map(contradictionsOf)
  const against = sides.map((side) => prepareSide(side.against))
  const by = sides.map((side) => prepareSide(side.by))
  const list = (statements: typeof against, seq: number) =>
    statements.flatMap((side) => side.all(seq, MAX_CONTRADICTIONS)).slice(0, MAX_CONTRADICTIONS)
  return {
    listContradictions: async (seqs) => {
      const found: Conflict[] = []
      for (const seq of seqs) {
        await yieldIfDue()
        found.push(...list(against, seq).map(({ other }) => ({ verified: other, other: seq })))
        found.push(...list(by, seq).map(({ other }) => ({ verified: seq, other })))
      }
      return found
    },
    listConflictsSlice: async ({ visible, beforeSeq, examine = EXAMINED_ROWS }) => {
      const rows = verified.all(beforeSeq ?? NEVER, examine)
      const found = rows.filter(({ audience, hasRivals }) => hasRivals === 1 && (visible?.includes(audience) ?? true))
      const conflicts = found.flatMap(({ seq }): Conflict[] => findRivals(seq).map((other) => ({ verified: seq, other })))
      return { conflicts, next: rows.length < examine ? undefined : rows.at(-1)?.seq }
    },
  }
}
