import { yieldIfDue } from '../../../cooperative.ts'
import type { Source, Visible } from '../../record.ts'
import type { SourceCount, SourcePage, SourceSummary, StatisticsReads } from '../../statistics.ts'
import type { Connection } from '../connection.ts'
import { createSourceReads } from './sources.ts'
import { toVisibleParams } from './visible.ts'
import { REMOVED_WORKSPACES } from './workspaces.ts'

const OF_SOURCES = 'from records indexed by records_by_source where source_id is not null and forgotten_at is null'
const IS_VISIBLE = '($v1 is null or audience in ($v1, $v2, $v3))'
const IN_PRESENT = `workspace_id not in ${REMOVED_WORKSPACES}`
const IN_RANGE = '(workspace_id, source_id) > ($fromWorkspace, $fromSource) and (workspace_id, source_id) <= ($toWorkspace, $toSource)'

/** The last source of a range of the index: some thousand entries, and the rest of that source's. */
const RANGE_END = `select workspace_id as workspaceId, source_id as sourceId ${OF_SOURCES}
  and (workspace_id, source_id) > ($fromWorkspace, $fromSource) order by workspace_id, source_id limit 1 offset $examine`

const COUNTS = `select workspace_id as workspaceId, source_id as sourceId, count(*) as records ${OF_SOURCES} and ${IN_RANGE} and ${IS_VISIBLE} and ${IN_PRESENT}
  and ($text is null or instr(lower(source_id), $text) > 0) group by workspace_id, source_id`

/** Records with another hash than their source's current one that are neither superseded nor expired at `now`. */
const OTHER_HASH = `select coalesce(sum(records), 0) as n from (
    select workspace_id, source_id, source_hash, count(*) as records ${OF_SOURCES}
      and source_hash is not null and status <> 'superseded' and ${IN_RANGE} and ${IS_VISIBLE} and ${IN_PRESENT}
        and (expires_at is null or expires_at > $now) group by workspace_id, source_id, source_hash
  ) as state where source_hash is not (select hash from sources as source where source.workspace_id = state.workspace_id
    and source.source_id = state.source_id and ${IS_VISIBLE} order by save_sequence desc, audience desc limit 1)`

const SUMMARY = `select count(*) as records, max(saved_at) as savedAt,
    sum(status = 'superseded' or ifnull(expires_at <= $now, false) or (source_hash is not null and source_hash is not $hash)) as stale
  ${OF_SOURCES} and workspace_id = $workspaceId and source_id = $sourceId and ${IS_VISIBLE}`

/** Entries of the index in a range, which take some milliseconds. */
const EXAMINED_ENTRIES = 8_192
const LAST: Source = { workspaceId: Number.MAX_SAFE_INTEGER, sourceId: '' }

type Params = Record<string, string | number | null>
type Range = { from: Source; to: Source }

const toRangeParams = ({ from, to }: Range): Params => ({
  fromWorkspace: from.workspaceId,
  fromSource: from.sourceId,
  toWorkspace: to.workspaceId,
  toSource: to.sourceId,
})

type Named = SourceCount & { workspace: string }

const compare = (a: string, b: string) => Number(a > b) - Number(a < b)
const byRecords = (a: Named, b: Named) => b.records - a.records || compare(a.sourceId, b.sourceId) || compare(a.workspace, b.workspace)

/** Counts of the records of sources. */
export function createSourceCounts(client: Connection) {
  const rangeEnd = client.statement<Source, [Params]>(RANGE_END)
  const counts = client.statement<SourceCount, [Params]>(COUNTS)
  const largest = client.statement<
    Named,
    [Params]
  >(`select source.*, name as workspace from (${COUNTS}) as source join workspaces on id = workspaceId
    order by records desc, sourceId, name limit $limit`)
  const otherHash = client.statement<{ n: number }, [Params]>(OTHER_HASH)
  const summary = client.statement<Pick<SourceSummary, 'records' | 'savedAt' | 'stale'>, [Params]>(SUMMARY)
  const { findCurrentHash } = createSourceReads(client)

  /** All sources after one, or only those of a workspace, in ranges that yield to other work. */
  async function* eachRange(after: Source, workspaceId?: number): AsyncGenerator<Range> {
    const end: Source = workspaceId === undefined ? LAST : { workspaceId: workspaceId + 1, sourceId: '' }
    for (let from = after; ; ) {
      await yieldIfDue()
      const found = rangeEnd.get({ fromWorkspace: from.workspaceId, fromSource: from.sourceId, examine: EXAMINED_ENTRIES })
      const isLast = found === null || found.workspaceId >= end.workspaceId
      const to = isLast ? end : found
      yield { from, to }
      if (isLast) return
      from = to
    }
  }

  return {
    listSources: async ({ visible, workspaceIds, text, after = '', limit }: SourcePage) => {
      const found: SourceCount[] = []
      const params = { ...toVisibleParams(visible), text: text?.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) ?? null }
      for (const [at, workspaceId] of workspaceIds.entries())
        for await (const range of eachRange({ workspaceId, sourceId: at === 0 ? after : '' }, workspaceId)) {
          found.push(...counts.all({ ...params, ...toRangeParams(range) }))
          if (found.length >= limit) return found.slice(0, limit)
        }
      return found
    },
    listLargestSources: async (visible: Visible, limit: number): Promise<SourceCount[]> => {
      let found: Named[] = []
      for await (const range of eachRange({ workspaceId: 0, sourceId: '' })) {
        const rows = largest.all({ ...toVisibleParams(visible), text: null, ...toRangeParams(range), limit })
        found = [...found, ...rows].sort(byRecords).slice(0, limit)
      }
      return found.map(({ workspace: _, ...source }) => source)
    },
    summarizeSources: async (visible: Visible, sources: Source[], now: number) => {
      const found: SourceSummary[] = []
      for (const source of sources) {
        await yieldIfDue()
        const { workspaceId, sourceId } = source
        const hash = await findCurrentHash(visible, workspaceId, sourceId)
        const counted = summary.get({ ...toVisibleParams(visible), workspaceId, sourceId, now, hash: hash ?? null })
        if (counted !== null && counted.records > 0) found.push({ workspaceId, sourceId, hash, ...counted })
      }
      return found
    },
    countOtherHash: async (visible: Visible, now: number): Promise<number> => {
      let count = 0
      for await (const range of eachRange({ workspaceId: 0, sourceId: '' }))
        count += otherHash.get({ ...toVisibleParams(visible), ...toRangeParams(range), now })?.n ?? 0
      return count
    },
  } satisfies Omit<StatisticsReads, 'countByDay' | 'countStale'> & { countOtherHash: StatisticsReads['countStale'] }
}
