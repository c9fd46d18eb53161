import type { Conflict, CurrentStatus } from '../../record.ts'
import type { RecordReads } from '../../record-verbs.ts'
import type { SearchReads, StoredTokens } from '../../search.ts'
import { createRivals } from './facts.ts'
import { createImportedSourceReads } from './imported-sources.ts'
import { createLatestReads } from './latest.ts'
import { createQuestionReads } from './questions.ts'
import { createRecords, createSupersededReads } from './records.ts'
import { createReleaseReads } from './releases.ts'
import { createRecordSources, createSourceReads } from './sources.ts'
import {
  isVisible,
  MAX_SEQ,
  type ProjectEngine,
  type ProjectSql,
  parseNumbers,
  toVisibleParams,
  unionOf,
} from './sql.ts'
import { createSourceCounts } from './statistics.ts'
import { createWorkspaceReads } from './workspaces.ts'

/** Reads of a project whose statements are the same on both engines. */
export function createSharedReads(sql: ProjectSql, engine: ProjectEngine) {
  const { tables } = engine
  const sources = createSourceReads(sql, tables)
  return {
    ...createWorkspaceReads(sql, engine),
    ...createRecords(sql),
    ...createSupersededReads(sql),
    ...createRivals(sql),
    ...createConflicts(sql),
    ...createScoringReads(sql),
    ...createLatestReads(sql, tables),
    ...sources,
    ...createRecordSources(sql),
    ...createSourceCounts(sql, tables, sources.findCurrentHashes),
    ...createImportedSourceReads(engine),
    ...createReleaseReads(engine),
    ...createQuestionReads(engine),
  }
}

/** Parameters of the audiences whose records may be neighbours. */
const AUDIENCES = ['$v1', '$v2', '$v3']

/** What scoring reads of many records at once. */
function createScoringReads({
  all,
  own,
  by,
  numbers,
  joinRecord,
  listOf,
}: ProjectSql): Pick<SearchReads, 'findTokens' | 'findNeighbours'> {
  const isCoded = 'records.codes is not null and records.seq <= cast($codedTo as bigint)'
  const from = `from ${numbers('seqs')} as named ${joinRecord('named.number')} where records.forgotten_at is null`
  const tokens = `select records.seq, records.length, case when ${isCoded} then records.codes end as codes,
    case when ${isCoded} then null else records.content end as content, case when ${isCoded} then null else records.asked_as end as "askedAs" ${from}`

  /**
   * The two nearest records of the same source before or after, nearest first. Of each audience two are read, whatever
   * was saved in between.
   */
  function nearest(side: '<' | '>', audiences: string[]): string {
    const order = side === '<' ? 'desc' : 'asc'
    const lists = audiences.map(
      (audience) => `select near.seq from records as near ${by('records_by_source')} where ${own('near')}
        and near.workspace_id = records.workspace_id and near.source_id = records.source_id and near.source_id is not null
        and near.audience = ${audience} and near.forgotten_at is null and near.seq ${side} records.seq order by near.seq ${order} limit 2`,
    )
    return listOf(`select seq from (${unionOf(lists)}) as lists order by seq ${order} limit 2`)
  }

  // One statement for each number of audiences: most records have one, whose neighbours take half the time to find.
  const neighbours = AUDIENCES.map((_, at) => {
    const some = AUDIENCES.slice(0, at + 1)
    return `select records.seq, ${nearest('<', some)} as "before", ${nearest('>', some)} as "after"
      ${from} and records.source_id is not null and records.audience in (${some.join(', ')})`
  })

  return {
    findTokens: (visible, seqs, codedTo) =>
      all<StoredTokens>(`${tokens} and ${isVisible(visible, 'records.audience')}`, {
        ...toVisibleParams(visible),
        seqs,
        codedTo,
      }),
    findNeighbours: async (visible, seqs) => {
      const text = neighbours[visible.length - 1]
      if (text === undefined) return []
      const rows = await all<{ seq: number; before: string | null; after: string | null }>(text, {
        ...toVisibleParams(visible),
        seqs,
      })
      return rows.map(({ seq, before, after }) => ({ seq, before: parseNumbers(before), after: parseNumbers(after) }))
    },
  }
}

/**
 * Rivals of one verified record with a status that are looked for on each side of its content's hash. Without imports
 * and restores there is at most one.
 */
const MAX_RIVALS = 20
/** Contradictions of one record that a search names. */
const MAX_CONTRADICTIONS = 8
/** Verified records examined in one slice, unless asked otherwise: they take some milliseconds. */
const EXAMINED_ROWS = 1_024
/** Records whose contradictions are looked for at once. */
const NAMED_ROWS = 32

/** Verified records and what contradicts them. */
function createConflicts(sql: ProjectSql): Pick<RecordReads, 'listConflictsSlice' | 'listContradictions'> {
  const { all, own, by, numbers, joinRecord, inBatches, listOf } = sql
  const ofKey = (
    one: string,
  ) => `from records as other ${by('records_by_key')} where ${own('other')} and other.forgotten_at is null
    and other.key_hash = ${one}.key_hash and other.workspace_id = ${one}.workspace_id and other.audience = ${one}.audience`

  /**
   * Records with the key of another one and another content, which is two ranges of the index: however many have the
   * same content, none of them is examined.
   */
  const othersOf = (one: string, status: CurrentStatus, condition: string, limit: number): string[] =>
    ['<', '>'].map(
      (
        side,
      ) => `select other.seq ${ofKey(one)} and other.status = '${status}' and other.content_hash ${side} ${one}.content_hash
        and ${condition} order by other.content_hash, other.save_hash, other.seq limit ${limit}`,
    )

  // Most verified records have a key of their own, and then nothing else has to be looked for. A pair of two verified
  // ones is listed with the older.
  const rivals = listOf(
    unionOf([
      ...othersOf('verified', 'unverified', 'other.fact_key_given', MAX_RIVALS),
      ...othersOf(
        'verified',
        'verified',
        'other.fact_key_given and verified.fact_key_given and other.seq > verified.seq',
        MAX_RIVALS,
      ),
    ]),
  )
  const slice = `select verified.seq, verified.audience,
      case when exists (select 1 ${ofKey('verified')} and other.seq <> verified.seq) then ${rivals} end as rivals
    from (select seq, workspace_id, key_hash, audience, content_hash, fact_key_given from records ${by('records_by_status')}
      where ${own()} and status = 'verified' and status <> 'unverified' and forgotten_at is null and seq < $before
      order by seq desc limit $examine) as verified order by verified.seq desc`

  const contradictions = (status: CurrentStatus, condition: string) =>
    listOf(
      `select * from (${unionOf(othersOf('records', status, condition, MAX_CONTRADICTIONS))}) as found limit ${MAX_CONTRADICTIONS}`,
    )
  const named = `select records.seq,
      case when records.status <> 'superseded' and records.fact_key_given
        then ${contradictions('verified', "(records.status = 'unverified' or other.fact_key_given)")} end as verified,
      case when records.status = 'verified' then ${contradictions('unverified', 'other.fact_key_given')} end as unverified
    from ${numbers('seqs')} as named ${joinRecord('named.number')} where records.forgotten_at is null`

  return {
    listContradictions: async (seqs) => {
      const rows = await inBatches(seqs, NAMED_ROWS, (batch) =>
        all<{ seq: number; verified: string | null; unverified: string | null }>(named, { seqs: batch }),
      )
      return rows.flatMap(({ seq, verified, unverified }): Conflict[] => [
        ...parseNumbers(verified).map((rival) => ({ verified: rival, other: seq })),
        ...parseNumbers(unverified).map((rival) => ({ verified: seq, other: rival })),
      ])
    },
    listConflictsSlice: async ({ visible, beforeSeq = MAX_SEQ, examine = EXAMINED_ROWS }) => {
      const rows = await all<{ seq: number; audience: string; rivals: string | null }>(slice, {
        before: beforeSeq,
        examine,
      })
      const seen = rows.filter(({ audience }) => visible?.includes(audience) ?? true)
      const conflicts = seen.flatMap(({ seq, rivals }) =>
        parseNumbers(rivals).map((rival): Conflict => ({ verified: seq, other: rival })),
      )
      return { conflicts, next: rows.length < examine ? undefined : rows.at(-1)?.seq }
    },
  }
}
