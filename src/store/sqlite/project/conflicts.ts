import type { Conflict, CurrentStatus } from '../../record.ts'
import type { RecordReads } from '../../record-verbs.ts'
import type { Connection } from '../connection.ts'
import { readInBatches } from '../long-reads.ts'

const NEVER = Number.MAX_SAFE_INTEGER

/** Whether `verified` has a rival with a status and a given key on one side of its content's hash: one step in the covering index. */
const hasRival = (side: '<' | '>', status: CurrentStatus) => `exists (select 1 from records as other indexed by records_by_key
  where other.workspace_id = verified.workspace_id and other.key_hash = verified.key_hash and other.audience = verified.audience
    and other.status = '${status}' and other.content_hash ${side} verified.content_hash and other.fact_key_given and other.forgotten_at is null)`

/** Whether any other record has the key of `verified`: most have none, and then nothing else has to be looked for. */
const HAS_OTHER = `exists (select 1 from records as other indexed by records_by_key
  where other.workspace_id = verified.workspace_id and other.key_hash = verified.key_hash and other.audience = verified.audience
    and other.forgotten_at is null and other.seq <> verified.seq)`

/**
 * Verified records of a slice, and whether they may have rivals, which few have: few records are verified, and the rows of a partial index have all that is
 * asked for.
 */
const VERIFIED = `select verified.seq, verified.audience, ${HAS_OTHER} and (${hasRival('<', 'unverified')} or ${hasRival('>', 'unverified')}
    or (verified.fact_key_given and (${hasRival('<', 'verified')} or ${hasRival('>', 'verified')}))) as hasRivals from (
    select seq, workspace_id, key_hash, audience, content_hash, fact_key_given from records indexed by records_by_status
      where status = 'verified' and status <> 'unverified' and forgotten_at is null and seq < ? order by seq desc limit ?
  ) as verified`

/** Rivals of one verified record with a status and a given key, `?2` at most on each side of its content's hash, by the same covering index. */
const rivalsOf = (side: '<' | '>', status: CurrentStatus) => `select other.seq as other from records as verified
  join records as other indexed by records_by_key
    on other.workspace_id = verified.workspace_id and other.key_hash = verified.key_hash and other.audience = verified.audience
    and other.status = '${status}' and other.content_hash ${side} verified.content_hash and other.fact_key_given
    and other.forgotten_at is null
  where verified.seq = ?1 ${status === 'verified' ? 'and verified.fact_key_given' : ''} limit ?2`

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
    against: `${others('verified')} and record.status <> 'superseded' and record.fact_key_given
      and (record.status = 'unverified' or other.fact_key_given) limit ?2`,
    by: `${others('unverified')} and record.status = 'verified' and other.fact_key_given limit ?2`,
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
    listContradictions: (seqs) =>
      readInBatches(seqs, 1, async ([seq = 0]) => [
        ...list(against, seq).map(({ other }) => ({ verified: other, other: seq })),
        ...list(by, seq).map(({ other }) => ({ verified: seq, other })),
      ]),
    listConflictsSlice: async ({ visible, beforeSeq, examine = EXAMINED_ROWS }) => {
      const rows = verified.all(beforeSeq ?? NEVER, examine)
      const found = rows.filter(({ audience, hasRivals }) => hasRivals === 1 && (visible?.includes(audience) ?? true))
      const conflicts = found.flatMap(({ seq }): Conflict[] => findRivals(seq).map((other) => ({ verified: seq, other })))
      return { conflicts, next: rows.length < examine ? undefined : rows.at(-1)?.seq }
    },
  }
}
