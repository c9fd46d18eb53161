import type { SearchReads, StoredTokens } from '../../search.ts'
import { createConflicts } from './conflicts.ts'
import { createRivals } from './facts.ts'
import { createImportedSourceReads } from './imported-sources.ts'
import { createLatestReads } from './latest.ts'
import { createQuestionReads } from './questions.ts'
import { createRecords, createSupersededReads } from './records.ts'
import { createReleaseReads } from './releases.ts'
import { createRecordSources, createSourceReads } from './sources.ts'
import { isVisible, type ProjectEngine, type ProjectSql, parseNumbers, toVisibleParams, unionOf } from './sql.ts'
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
