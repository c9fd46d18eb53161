import type { Source, Visible } from '../../record.ts'
import type { SourceCount, SourceSummary, StatisticsReads } from '../../statistics.ts'
import { isVisible, type Params, type ProjectSql, toPage, toRemovedWorkspaces, toVisibleParams } from './sql.ts'
import type { ProjectTables } from './tables.ts'

/** Entries of the index by source that are counted at once, which takes some milliseconds. */
const EXAMINED_ENTRIES = 8_192
const PLACE = ['workspace_id', 'source_id', 'audience']
const ENTRY = 'workspace_id, source_id, audience, seq, status, source_hash, expires_at'

/**
 * Records of one source, as far as a part of the index has them; the last entry of that part is a row with no records.
 */
type Group = Source & { audience: string; seq: number; records: number }

const BEGINNING: Source = { workspaceId: 0, sourceId: '' }
/** Behind every audience. */
const LAST_AUDIENCE = '~'
const MAX_WORKSPACE = 2 ** 31 - 1

const OF_SOURCE = `workspace_id as "workspaceId", source_id as "sourceId", '' as audience, 0 as seq, cast(count(*) as integer) as records`

type FindHashes = (visible: Visible, sources: Source[]) => Promise<(string | undefined)[]>

/** Counts of the records of sources, by indexes alone. */
export function createSourceCounts(
  sql: ProjectSql,
  { records }: ProjectTables,
  findCurrentHashes: FindHashes,
): Omit<StatisticsReads, 'countByDay'> {
  const { all, own, by, rows, inTurn, inBatches } = sql
  const readGroups = inTurn((text: string, params: Params) => all<Group>(text, params, columns))
  const columns = { sourceId: records.sourceId, savedAt: records.savedAt }
  const isPresent = `workspace_id not in ${toRemovedWorkspaces(sql)}`
  const entries = toPage(
    `from records ${by('records_by_source')} where ${own()} and source_id is not null and forgotten_at is null and workspace_id <= $lastWorkspace`,
    ENTRY,
    PLACE,
  )
  const last = `select workspace_id, source_id, audience, seq, 0 from entry
    order by workspace_id desc, source_id desc, audience desc, seq desc limit 1`

  /**
   * What `counted` finds in each part of the index, which stands there as `entry`, after a source, up to a workspace.
   */
  async function* eachGroup(
    counted: string,
    given: Params,
    from = BEGINNING,
    lastWorkspace = MAX_WORKSPACE,
  ): AsyncGenerator<Group> {
    const text = `with entry as materialized ${entries} select * from (${counted}) as counted union all select * from (${last}) as last`
    const params = { ...given, lastWorkspace, examine: EXAMINED_ENTRIES }
    let place: Params = { workspace_id: from.workspaceId, source_id: from.sourceId, audience: LAST_AUDIENCE, seq: 0 }
    for (;;) {
      const groups = await readGroups(text, { ...params, ...place })
      const end = groups.pop()
      yield* groups
      if (end === undefined) return
      place = { workspace_id: end.workspaceId, source_id: end.sourceId, audience: end.audience, seq: end.seq }
    }
  }

  /**
   * Sources with visible records, of workspaces that are not removed, in order of workspace and name. A group may
   * continue in the next part of the index.
   */
  async function* eachSource(
    visible: Visible,
    text = '',
    ...range: [from?: Source, lastWorkspace?: number]
  ): AsyncGenerator<SourceCount> {
    const hasText = text === '' ? 'true' : "replace(lower(source_id), $text, '') <> lower(source_id)"
    const counted = `select ${OF_SOURCE} from entry where ${isVisible(visible)} and ${isPresent} and ${hasText} group by 1, 2 order by 1, 2`
    const params = {
      ...toVisibleParams(visible),
      ...(text !== '' && { text: text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) }),
    }
    let source: SourceCount | undefined
    for await (const { workspaceId, sourceId, records } of eachGroup(counted, params, ...range)) {
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
    listSources: async ({ visible, workspaceIds, text, after = '', limit }) => {
      const found: SourceCount[] = []
      for (const [at, workspaceId] of workspaceIds.entries())
        for await (const source of eachSource(
          visible,
          text,
          { workspaceId, sourceId: at === 0 ? after : '' },
          workspaceId,
        )) {
          if (found.length === limit) return found
          found.push(source)
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
      const state = `select workspace_id, source_id, source_hash, count(*) as records from entry
        where source_hash is not null and status <> 'superseded' and ${isVisible(visible)} and ${isPresent}
          and (expires_at is null or expires_at > $now) group by 1, 2, 3`
      const current = `select hash from sources as source where ${own('source')} and source.workspace_id = state.workspace_id
        and source.source_id = state.source_id and ${isVisible(visible)} order by save_sequence desc, audience desc limit 1`
      const counted = `select 0 as "workspaceId", '' as "sourceId", '' as audience, 0 as seq, cast(sum(records) as integer) as records
        from (${state}) as state where source_hash is distinct from (${current}) having count(*) > 0`
      let stale = await countOutdated(visible, now)
      for await (const { records } of eachGroup(counted, { ...toVisibleParams(visible), now })) stale += records
      return stale
    },
  }
}

/** Sources by which a list grows at least before it is sorted again. */
const MIN_GROWTH = 256
const compare = (a: string, b: string) => Number(a > b) - Number(a < b)
