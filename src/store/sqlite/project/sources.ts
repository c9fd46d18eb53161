import type { SourceState, Visible } from '../../record.ts'
import type { RecordReads, RecordWrites } from '../../record-verbs.ts'
import { eraseImportedSources } from '../../shared/project/imported-sources.ts'
import type { ProjectEngine } from '../../shared/project/tables.ts'
import { mergeHashes, type PastHash, type SourceHashes, withHash } from '../../source-hashes.ts'
import type { WorkspaceWrites } from '../../workspace.ts'
import type { Connection } from '../connection.ts'
import { toVisibleList, type VisibleParams } from './visible.ts'

type Reads = Pick<RecordReads, 'findCurrentHash' | 'findCurrentHashes' | 'listSourceHashes' | 'findSourceState' | 'findSourceStates'>
type StateReads = Pick<RecordReads, 'countInState' | 'findWorkspacesOfSource' | 'findRecentState'>
type Writes = Pick<RecordWrites, 'saveSourceHash' | 'saveSourceState'> & Pick<WorkspaceWrites, 'eraseSources'>

type SourceParams = [workspaceId: number, sourceId: string, audience: string]
type HashesRow = { hash: string; hashes: string }

const toSourceHashes = ({ hash, hashes }: HashesRow): SourceHashes => ({ hash, hashes: JSON.parse(hashes) as PastHash[] })

/** Maximum number of times that are dropped with each one that is stored: more than are stored, so that none are left in the end. */
const DROPPED_STATES = 32

/** Hashes of sources. */
export function createSourceReads(client: Connection): Reads {
  const current = client.statement<{ hash: string }, [workspaceId: number, sourceId: string, ...VisibleParams]>(
    `select hash from sources where workspace_id = ?1 and source_id = ?2 and (?3 is null or audience in (?3, ?4, ?5)) order by save_sequence desc, audience desc limit 1`,
  )
  const state = client.statement<SourceState, [workspaceId: number, sourceId: string, audience: string]>(
    'select hash, save_sequence as saveSequence from sources where workspace_id = ? and source_id = ? and audience = ?',
  )
  const hashes = client.statement<HashesRow, [workspaceId: number, sourceId: string, ...VisibleParams]>(
    'select hash, hashes from sources where workspace_id = ?1 and source_id = ?2 and (?3 is null or audience in (?3, ?4, ?5))',
  )
  const findHash = (visible: Visible, workspaceId: number, sourceId: string) =>
    current.get(workspaceId, sourceId, ...toVisibleList(visible))?.hash
  return {
    findCurrentHash: async (visible, workspaceId, sourceId) => findHash(visible, workspaceId, sourceId),
    findCurrentHashes: async (visible, sources) => sources.map(({ workspaceId, sourceId }) => findHash(visible, workspaceId, sourceId)),
    listSourceHashes: async (visible, { workspaceId, sourceId }) =>
      mergeHashes(hashes.all(workspaceId, sourceId, ...toVisibleList(visible)).map(toSourceHashes)),
    findSourceState: async (workspaceId, audience, sourceId) => state.get(workspaceId, sourceId, audience) ?? undefined,
    findSourceStates: async (sources) =>
      sources.map(({ workspaceId, sourceId, audience }) => state.get(workspaceId, sourceId, audience) ?? undefined),
  }
}

export function createSourceWrites(client: Connection, engine: ProjectEngine): Writes {
  const find = client.statement<HashesRow, SourceParams>(
    'select hash, hashes from sources where workspace_id = ? and source_id = ? and audience = ?',
  )
  type Save = [...SourceParams, hash: string, saveSequence: number, hashes: string]
  const insert = (change: string) =>
    client.statement<
      unknown,
      Save
    >(`insert into sources (workspace_id, source_id, audience, hash, save_sequence, hashes) values (?, ?, ?, ?, ?, ?)
      on conflict do update set hash = excluded.hash, hashes = excluded.hashes, ${change}`)
  const saveNext = insert('save_sequence = max(excluded.save_sequence, sources.save_sequence + 1)')
  const saveLater = insert('save_sequence = excluded.save_sequence where excluded.save_sequence > sources.save_sequence')
  const addHash = (source: SourceParams, next: PastHash): string => {
    const before = find.get(...source)
    return JSON.stringify(withHash(before === null ? undefined : toSourceHashes(before), next))
  }
  const erase = client.statement<unknown, [workspaceId: number, sourceId: string | null, limit: number]>(
    'delete from sources where rowid in (select rowid from sources where workspace_id = ?1 and (?2 is null or source_id = ?2) limit ?3)',
  )
  return {
    saveSourceHash: async (workspaceId, sourceId, audience, hash, at) => {
      const source: SourceParams = [workspaceId, sourceId, audience]
      saveNext.run(...source, hash, at, addHash(source, { hash, at }))
    },
    saveSourceState: async (workspaceId, sourceId, audience, { hash, saveSequence }) => {
      const source: SourceParams = [workspaceId, sourceId, audience]
      saveLater.run(...source, hash, saveSequence, addHash(source, { hash, at: null }))
    },
    eraseSources: async (of, limit) => {
      const erased = erase.run(of.workspaceId, of.sourceId ?? null, limit).changes
      return erased < limit ? erased + (await eraseImportedSources(engine, of, limit - erased)) : erased
    },
  }
}

/** Reads of the records of a source and of the states they were saved under. */
export function createStateReads(client: Connection): StateReads {
  const inState = client.statement<
    { n: number },
    [workspaceId: number, sourceId: string, hash: string, ...VisibleParams, now: number, most: number]
  >(
    `select count(*) as n from (select 1 from records indexed by records_by_source
      where workspace_id = ?1 and source_id = ?2 and source_id is not null and source_hash = ?3 and (?4 is null or audience in (?4, ?5, ?6))
        and (expires_at is null or expires_at > ?7) and forgotten_at is null and status <> 'superseded' limit ?8)`,
  )
  const workspaces = client.statement<{ id: number }, [ids: string, sourceId: string, ...VisibleParams]>(
    `select value as id from json_each(?1) where exists (select 1 from records indexed by records_by_source
      where workspace_id = value and source_id = ?2 and (?3 is null or audience in (?3, ?4, ?5)) and source_id is not null and forgotten_at is null)`,
  )
  const recent = client.statement<{ savedAt: number }, [recordId: string, hash: string]>(
    'select saved_at as savedAt from recent_states where record_id = ? and hash = ?',
  )
  return {
    countInState: async ({ visible, workspaceId, sourceId, hash }, now, most) =>
      inState.get(workspaceId, sourceId, hash, ...toVisibleList(visible), now, most)?.n ?? 0,
    findWorkspacesOfSource: async (visible, sourceId, ids) =>
      workspaces.all(JSON.stringify(ids), sourceId, ...toVisibleList(visible)).map(({ id }) => id),
    findRecentState: async (recordId, hash) => recent.get(recordId, hash)?.savedAt,
  }
}

export function createStateWrites(client: Connection): Pick<RecordWrites, 'saveRecentState'> {
  const save = client.statement<unknown, [recordId: string, hash: string, savedAt: number, since: number]>(
    `insert into recent_states (record_id, hash, saved_at) values (?1, ?2, ?3)
      on conflict do update set saved_at = excluded.saved_at where saved_at < ?4`,
  )
  // Not all at once: a large source that was saved again leaves a hundred thousand of them, ten minutes later.
  const dropEarlier = client.statement<unknown, [since: number, limit: number]>(
    'delete from recent_states where rowid in (select rowid from recent_states where saved_at < ? order by saved_at limit ?)',
  )
  return {
    saveRecentState: async (recordId, { hash, savedAt, since }) => {
      dropEarlier.run(since, DROPPED_STATES)
      save.run(recordId, hash, savedAt, since)
    },
  }
}
