import type { Source, Visible } from '../../record.ts'
import type { SourceCount, SourceSummary, StatisticsReads } from '../../statistics.ts'
import { createSourceIndex, EXAMINED_ENTRIES } from './source-index.ts'
import {
  isVisible,
  type Params,
  type ProjectSql,
  type ProjectTables,
  toPage,
  toRemovedWorkspaces,
  toVisibleParams,
} from './sql.ts'

const OF_SOURCE = `workspace_id as "workspaceId", source_id as "sourceId", cast(count(*) as integer) as records`

type FindHashes = (visible: Visible, sources: Source[]) => Promise<(string | undefined)[]>

/** Counts of the records of sources, by indexes alone. */
export function createSourceCounts(
  sql: ProjectSql,
  { records }: ProjectTables,
  findCurrentHashes: FindHashes,
): Omit<StatisticsReads, 'countByDay'> {
  const { all, own, by, rows, inTurn, inBatches } = sql
  const columns = { sourceId: records.sourceId, savedAt: records.savedAt }
  const isPresent = `workspace_id not in ${toRemovedWorkspaces(sql)}`
  const { entries, eachGroup, findNamed } = createSourceIndex(sql, records)

  /**
   * Sources with visible records, of workspaces that are not removed, in order of workspace and name. A group may
   * continue in the next part of the index.
   */
  async function* eachSource(
    visible: Visible,
    ...range: [from?: Source, lastWorkspace?: number]
  ): AsyncGenerator<SourceCount> {
    const toCount = (part: string) =>
      `select ${OF_SOURCE} from ${part} and ${isVisible(visible)} and ${isPresent} group by 1, 2`
    const params = toVisibleParams(visible)
    let source: SourceCount | undefined
    for await (const { workspaceId, sourceId, records } of eachGroup(toCount, params, ...range)) {
      if (source?.workspaceId === workspaceId && source.sourceId === sourceId) source.records += records
      else {
        if (source !== undefined) yield source
        source = { workspaceId, sourceId, records }
      }
    }
    if (source !== undefined) yield source
  }

  /** Most records first, then by name: the age of a workspace tells when others saved in it before. */
  async function sortByRecords(sources: SourceCount[]): Promise<SourceCount[]> {
    const wanted = [...new Set(sources.map(({ workspaceId }) => workspaceId))].map((wantedId) => ({ wantedId }))
    if (wanted.length === 0) return []
    const text = `select id, name from ${rows('wanted', { wantedId: records.workspaceId })} join workspaces on ${own()} and id = wanted."wantedId"`
    const found = await all<{ id: number; name: string }>(text, { wanted })
    const names = new Map(found.map(({ id, name }) => [id, name]))
    const nameOf = ({ workspaceId }: SourceCount) => names.get(workspaceId) ?? ''
    return sources.sort(
      (a, b) => b.records - a.records || compare(a.sourceId, b.sourceId) || compare(nameOf(a), nameOf(b)),
    )
  }

  /** Of the sources those with visible records, of workspaces that are not removed. */
  async function* countEach(visible: Visible, sources: Source[]): AsyncGenerator<SourceCount> {
    const text = `select ${OF_SOURCE} from ${entries} and workspace_id = $workspaceId and source_id = $sourceId
      and ${isVisible(visible)} and ${isPresent} group by 1, 2`
    const read = inTurn((source: Source) => all<SourceCount>(text, { ...toVisibleParams(visible), ...source }, columns))
    for (const source of sources) yield* await read(source)
  }

  /** Superseded and expired records, each by an index of few. */
  async function countOutdated(visible: Visible, now: number): Promise<number> {
    const isSeen = `${isVisible(visible)} and ${isPresent}`
    const superseded = `from records ${by('records_by_status')}
      where ${own()} and status = 'superseded' and status <> 'unverified' and forgotten_at is null and ${isSeen}`
    const expired = `from records ${by('records_by_expiry')}
      where ${own()} and expires_at <= $now and expires_at is not null and forgotten_at is null and status <> 'superseded' and ${isSeen}`
    const text = `select cast((select count(*) ${superseded}) + (select count(*) ${expired}) as integer) as n`
    return (await all<{ n: number }>(text, { ...toVisibleParams(visible), now }))[0]?.n ?? 0
  }

  const settled = `with entry as materialized ${toPage(
    `from records ${by('records_by_status')} where ${own()} and status <> 'unverified' and forgotten_at is null`,
    'status, seq, workspace_id, audience',
    ['status'],
  )} select status, seq, (select cast(count(*) as integer) from entry where `

  return {
    countRecords: async (visible, workspaceId) => {
      const isIn = workspaceId === undefined ? '' : 'and workspace_id = $workspaceId'
      const text = `select cast(coalesce(sum(records), 0) as integer) as n from audience_stats where ${own()} and ${isVisible(visible)} and ${isPresent} ${isIn}`
      const params = { ...toVisibleParams(visible), ...(workspaceId !== undefined && { workspaceId }) }
      return (await all<{ n: number }>(text, params))[0]?.n ?? 0
    },
    countSettled: async (visible) => {
      const text = `${settled}${isVisible(visible)}) as records from entry order by status desc, seq desc limit 1`
      const params = { ...toVisibleParams(visible), examine: EXAMINED_ENTRIES }
      const read = inTurn((place: Params) => all<{ status: string; seq: number; records: number }>(text, place, {}))
      let count = 0
      for (let place: Params | undefined = { status: '', seq: 0 }; place !== undefined; ) {
        const [last] = await read({ ...params, ...place })
        count += last?.records ?? 0
        place = last && { status: last.status, seq: last.seq }
      }
      return count
    },
    listSources: async ({ visible, workspaceIds, text = '', after = '', limit }) => {
      const found: SourceCount[] = []
      const from = workspaceIds.map((workspaceId, at) => ({ workspaceId, sourceId: at === 0 ? after : '' }))
      const byWorkspace = text === '' ? undefined : Map.groupBy(await findNamed(from, text), toWorkspaceId)
      for (const start of from) {
        const sources =
          byWorkspace === undefined
            ? eachSource(visible, start, start.workspaceId)
            : countEach(visible, byWorkspace.get(start.workspaceId) ?? [])
        for await (const source of sources) {
          if (found.length === limit) return found
          found.push(source)
        }
      }
      return found
    },
    listLargestSources: async (visible, limit) => {
      let first: SourceCount[] = []
      let count = 0
      for await (const source of eachSource(visible)) {
        first.push(source)
        count++
        if (first.length >= limit + Math.max(MIN_GROWTH, limit / 4))
          first = (await sortByRecords(first)).slice(0, limit)
      }
      return { sources: (await sortByRecords(first)).slice(0, limit), count }
    },
    summarizeSources: async (visible, sources, now) => {
      const hashes = await findCurrentHashes(visible, sources)
      const { workspaceId, sourceId, sourceHash } = records
      const isStale = `status = 'superseded' or coalesce(expires_at <= $now, false)
        or (source_hash is not null and source_hash is distinct from wanted.hash)`
      const text = `select wanted.place, cast(count(*) as integer) as records, max(saved_at) as "savedAt",
          cast(sum(case when ${isStale} then 1 else 0 end) as integer) as stale
        from ${rows('wanted', { place: workspaceId, workspaceId, sourceId, hash: sourceHash })} join records ${by('records_by_source')}
          on ${own()} and workspace_id = wanted."workspaceId" and source_id = wanted."sourceId" and source_id is not null and forgotten_at is null
        where ${isVisible(visible)} group by wanted.place`
      const counted = await inBatches([...sources.keys()], 1, (places) => {
        const wanted = places.flatMap((place) =>
          sources[place] === undefined ? [] : [{ place, ...sources[place], hash: hashes[place] ?? null }],
        )
        if (wanted.length === 0) return Promise.resolve([])
        return all<Omit<SourceSummary, 'hash'> & { place: number }>(
          text,
          { ...toVisibleParams(visible), now, wanted },
          columns,
        )
      })
      const byPlace = new Map(counted.map(({ place, ...found }) => [place, found]))
      return sources.flatMap(({ workspaceId, sourceId }, place): SourceSummary[] => {
        const found = byPlace.get(place)
        return found === undefined ? [] : [{ ...found, workspaceId, sourceId, hash: hashes[place] }]
      })
    },
    countStale: async (visible, now) => {
      // Records with another hash than their source's current one that are neither superseded nor expired.
      const toStates = (part: string) => `select workspace_id, source_id, source_hash, count(*) as records from ${part}
        and source_hash is not null and status <> 'superseded' and ${isVisible(visible)} and ${isPresent}
          and (expires_at is null or expires_at > $now) group by 1, 2, 3`
      const current = `select hash from sources as source where ${own('source')} and source.workspace_id = state.workspace_id
        and source.source_id = state.source_id and ${isVisible(visible)} order by save_sequence desc, audience desc limit 1`
      const toCount = (
        part: string,
      ) => `select 0 as "workspaceId", '' as "sourceId", cast(sum(records) as integer) as records
        from (${toStates(part)}) as state where source_hash is distinct from (${current}) having count(*) > 0`
      let stale = await countOutdated(visible, now)
      for await (const { records } of eachGroup(toCount, { ...toVisibleParams(visible), now })) stale += records
      return stale
    },
  }
}

const toWorkspaceId = ({ workspaceId }: Source): number => workspaceId

/** Sources by which a list grows at least before it is sorted again. */
const MIN_GROWTH = 2_048
const compare = (a: string, b: string) => Number(a > b) - Number(a < b)
