import type { Audience, Source, SourceState } from '../../record.ts'
import type { RecordReads } from '../../record-verbs.ts'
import type { RecordWrites } from '../../record-writes.ts'
import type { AddedToSource, SearchReads, SourcePart, SourcePlace } from '../../search.ts'
import { mergeHashes, type PastHash, type SourceHashes, withHash } from '../../source-hashes.ts'
import type { WorkspaceWrites } from '../../workspace.ts'
import { isVisible, type ProjectSql, type ProjectTables, toPage, toVisibleParams } from './sql.ts'

type Reads = Pick<
  RecordReads,
  | 'findCurrentHashes'
  | 'listSourceHashes'
  | 'findSourceStates'
  | 'countInState'
  | 'findWorkspacesOfSource'
  | 'findRecentState'
>
type Writes = Pick<RecordWrites, 'saveSourceState' | 'saveRecentState'> & Pick<WorkspaceWrites, 'eraseSources'>

/**
 * Maximum number of times that are dropped with each one that is stored: more than are stored, so that none are left in
 * the end.
 */
const DROPPED_STATES = 32

const OF_SOURCE = 'workspace_id = $workspaceId and source_id = $sourceId'
const BEGINNING: SourcePlace = { workspaceId: 0, sourceId: '', audience: '', seq: 0 }
const ORDER = ['workspace_id', 'source_id', 'audience']

/** Hashes of sources, and the records that were saved under them. */
export function createSourceReads(
  { all, own, by, rows, numbers }: ProjectSql,
  { sources, recentStates }: ProjectTables,
): Reads {
  const { workspaceId, sourceId, audience, saveSequence, hashes } = sources
  const hashesColumns = { hashes }
  const stateColumns = { saveSequence }
  const named = { place: workspaceId, workspaceId, sourceId }
  const isWanted = `${own('source')} and source.workspace_id = wanted."workspaceId" and source.source_id = wanted."sourceId"`
  const ofRecords = `from records ${by('records_by_source')} where ${own()} and source_id is not null and forgotten_at is null`

  /** What is found of each of the sources, in their order. */
  async function findEach<Of extends Source, Found>(
    wanted: Of[],
    text: string,
    params = {},
  ): Promise<(Found | undefined)[]> {
    const found: (Found | undefined)[] = wanted.map(() => undefined)
    if (wanted.length === 0) return found
    const placed = wanted.map((source, place) => ({ place, ...source }))
    const listed = await all<Found & { place: number }>(text, { wanted: placed, ...params }, stateColumns)
    for (const { place, ...row } of listed) found[place] = row as Found
    return found
  }

  return {
    findCurrentHashes: async (visible, wanted) => {
      const current = `select hash from sources as source where ${isWanted} and ${isVisible(visible)} order by save_sequence desc, audience desc limit 1`
      const found = await findEach<Source, { hash: string | null }>(
        wanted,
        `select wanted.place, (${current}) as hash from ${rows('wanted', named)}`,
        toVisibleParams(visible),
      )
      return found.map((row) => row?.hash ?? undefined)
    },
    findSourceStates: (wanted) =>
      findEach<Source & { audience: Audience }, SourceState>(
        wanted.map(({ workspaceId, sourceId, audience }) => ({ workspaceId, sourceId, audience })),
        `select wanted.place, hash, save_sequence as "saveSequence" from ${rows('wanted', { ...named, audience })}
          join sources as source on ${isWanted} and source.audience = wanted.audience`,
      ),
    listSourceHashes: async (visible, { workspaceId, sourceId }) => {
      const text = `select hashes from sources where ${own()} and ${OF_SOURCE} and ${isVisible(visible)}`
      return mergeHashes(
        await all<Pick<SourceHashes, 'hashes'>>(
          text,
          { workspaceId, sourceId, ...toVisibleParams(visible) },
          hashesColumns,
        ),
      )
    },
    countInState: async ({ visible, workspaceId, sourceId, hash }, now, most) => {
      const inState = `${ofRecords} and ${OF_SOURCE} and source_hash = $hash and ${isVisible(visible)}
        and (expires_at is null or expires_at > $now) and status <> 'superseded' limit $most`
      const params = { workspaceId, sourceId, hash, now, most, ...toVisibleParams(visible) }
      return (
        (
          await all<{ n: number }>(`select cast(count(*) as integer) as n from (select 1 ${inState}) as found`, params)
        )[0]?.n ?? 0
      )
    },
    findWorkspacesOfSource: async (visible, sourceId, ids) => {
      const text = `select number as id from ${numbers('ids')} as workspace
        where exists (select 1 ${ofRecords} and workspace_id = number and source_id = $sourceId and ${isVisible(visible)})`
      return (await all<{ id: number }>(text, { ids, sourceId, ...toVisibleParams(visible) })).map(({ id }) => id)
    },
    findRecentState: async (recordId, hash) => {
      const text = `select saved_at as "savedAt" from recent_states where ${own()} and record_id = $recordId and hash = $hash`
      return (await all<{ savedAt: number }>(text, { recordId, hash }, { savedAt: recentStates.savedAt }))[0]?.savedAt
    },
  }
}

/** Which source each record is of. */
export function createRecordSources({
  all,
  own,
  by,
}: ProjectSql): Pick<SearchReads, 'listSourceParts' | 'listAddedToSources'> {
  const ofSources = `from records ${by('records_by_source')} where ${own()} and source_id is not null and forgotten_at is null and seq <= $lastSeq`
  const places = `select * from ${toPage(ofSources, 'workspace_id as "workspaceId", source_id as "sourceId", audience, seq', ORDER)} as place`
  // Any earlier record of the source, which the index finds immediately.
  const added = `select seq, workspace_id as "workspaceId", audience, (
      select other.seq from records as other ${by('records_by_source')} where ${own('other')} and other.workspace_id = record.workspace_id
        and other.source_id = record.source_id and other.forgotten_at is null and other.seq < record.seq limit 1
    ) as earlier from records as record where ${own()} and seq > $seq and seq <= $lastSeq and source_id is not null and forgotten_at is null order by seq`
  return {
    listSourceParts: async ({ after = BEGINNING, lastSeq, limit }) => {
      const parts: (SourcePart & { seqs: number[] })[] = []
      for (const { seq, ...source } of await all<SourcePlace>(places, {
        ...toPlaceParams(after),
        lastSeq,
        examine: limit,
      })) {
        const part = parts.at(-1)
        if (part !== undefined && isSamePart(part, source)) part.seqs.push(seq)
        else parts.push({ ...source, seqs: [seq] })
      }
      return parts
    },
    listAddedToSources: (seq, lastSeq) => all<AddedToSource>(added, { seq, lastSeq }),
  }
}

const toPlaceParams = ({ workspaceId, sourceId, audience, seq }: SourcePlace) => ({
  ...{ workspace_id: workspaceId, source_id: sourceId, audience, seq },
})

type Part = Source & { audience: Audience }
const isSamePart = (a: Part, b: Part): boolean =>
  a.sourceId === b.sourceId && a.workspaceId === b.workspaceId && a.audience === b.audience

/**
 * `ahead` is what was read ahead of sources without a hash; `eraseImported` erases at most so many rows of imported
 * sources.
 */
export function createSourceWrites(
  { all, run, later, own, lead, place }: ProjectSql,
  { sources }: ProjectTables,
  ahead: { hasNoHash: (source: Source) => boolean; noteSource: (source: Source) => void },
  eraseImported: (of: { workspaceId: number; sourceId?: string | undefined }, limit: number) => Promise<number>,
): Writes {
  const find = `select hash, hashes from sources where ${own()} and ${OF_SOURCE} and audience = $audience`
  const insert = (
    change: string,
  ) => `insert into sources (${lead.column}workspace_id, source_id, audience, hash, save_sequence, hashes)
    values (${lead.value}$workspaceId, $sourceId, $audience, $hash, $saveSequence, $hashes)
    on conflict (${lead.column}workspace_id, source_id, audience) do update set hash = excluded.hash, hashes = excluded.hashes, ${change}`
  const next = insert(`save_sequence = case when excluded.save_sequence > sources.save_sequence
    then excluded.save_sequence else sources.save_sequence + 1 end`)
  const ifLater = insert('save_sequence = excluded.save_sequence where excluded.save_sequence > sources.save_sequence')

  const columns = { hashes: sources.hashes }
  async function save(
    text: string,
    source: Part,
    { hash, saveSequence }: SourceState,
    at: PastHash['at'],
  ): Promise<void> {
    const [before] = ahead.hasNoHash(source) ? [] : await all<SourceHashes>(find, source, columns)
    await later(text, { ...source, hash, saveSequence, hashes: JSON.stringify(withHash(before, { hash, at })) })
    ahead.noteSource(source)
  }

  return {
    saveSourceState: ({ workspaceId, sourceId, audience }, state) => {
      const source = { workspaceId, sourceId, audience }
      return 'at' in state
        ? save(next, source, { hash: state.hash, saveSequence: state.at }, state.at)
        : save(ifLater, source, state, null)
    },
    eraseSources: async (of, limit) => {
      const { workspaceId, sourceId } = of
      const isMeant = `${own()} and workspace_id = $workspaceId ${sourceId === undefined ? '' : 'and source_id = $sourceId'}`
      const erase = `delete from sources where ${own()} and ${place} in (select ${place} from sources where ${isMeant} limit $limit)`
      const erased = await run(erase, { workspaceId, limit, ...(sourceId !== undefined && { sourceId }) })
      return erased < limit ? erased + (await eraseImported(of, limit - erased)) : erased
    },
    saveRecentState: async (recordId, { hash, savedAt, since }) => {
      // Not all at once: a large source that was saved again leaves a hundred thousand of them, ten minutes later.
      const some = `select ${place} from recent_states where ${own()} and saved_at < $since order by saved_at limit ${DROPPED_STATES}`
      await later(`delete from recent_states where ${own()} and ${place} in (${some})`, { since })
      await later(
        `insert into recent_states (${lead.column}record_id, hash, saved_at) values (${lead.value}$recordId, $hash, $savedAt)
          on conflict (${lead.column}record_id, hash) do update set saved_at = excluded.saved_at where recent_states.saved_at < $since`,
        { recordId, hash, savedAt, since },
      )
    },
  }
}
