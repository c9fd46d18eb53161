import type { RecordReads, RecordWrites, SourceState, Visible } from '../../record.ts'
import type { WorkspaceWrites } from '../../workspace.ts'
import type { Connection } from '../connection.ts'
import { toVisibleList, type VisibleParams } from './visible.ts'

type Reads = Pick<RecordReads, 'findCurrentHash' | 'findCurrentHashes' | 'findSourceState' | 'findSourceStates'>
type Writes = Pick<RecordWrites, 'saveSourceHash' | 'saveSourceState'> & Pick<WorkspaceWrites, 'eraseSources'>

/** Hashes of sources. The column `turn` is the save sequence. */
export function createSourceReads(client: Connection): Reads {
  const current = client.statement<{ hash: string }, [workspaceId: number, sourceId: string, ...VisibleParams]>(
    `select hash from sources where workspace_id = ?1 and source_id = ?2 and (?3 is null or audience in (?3, ?4, ?5)) order by turn desc limit 1`,
  )
  const state = client.statement<SourceState, [workspaceId: number, sourceId: string, audience: string]>(
    'select hash, turn as saveSequence from sources where workspace_id = ? and source_id = ? and audience = ?',
  )
  const findHash = (visible: Visible, workspaceId: number, sourceId: string) =>
    current.get(workspaceId, sourceId, ...toVisibleList(visible))?.hash
  return {
    findCurrentHash: async (visible, workspaceId, sourceId) => findHash(visible, workspaceId, sourceId),
    findCurrentHashes: async (visible, sources) => sources.map(({ workspaceId, sourceId }) => findHash(visible, workspaceId, sourceId)),
    findSourceState: async (workspaceId, audience, sourceId) => state.get(workspaceId, sourceId, audience) ?? undefined,
    findSourceStates: async (sources) =>
      sources.map(({ workspaceId, sourceId, audience }) => state.get(workspaceId, sourceId, audience) ?? undefined),
  }
}

export function createSourceWrites(client: Connection): Writes {
  const nextTurn = client.statement<{ turn: number }, []>('update usage set turn = turn + 1 where id = 1 returning turn')
  const raiseTurn = client.statement<unknown, [number]>('update usage set turn = max(turn, ?) where id = 1')
  const save = client.statement<unknown, [workspaceId: number, sourceId: string, audience: string, hash: string, turn: number]>(
    `insert into sources (workspace_id, source_id, audience, hash, turn) values (?, ?, ?, ?, ?)
      on conflict do update set hash = excluded.hash, turn = excluded.turn where excluded.turn > sources.turn`,
  )
  const erase = client.statement<unknown, [workspaceId: number, limit: number]>(
    'delete from sources where rowid in (select rowid from sources where workspace_id = ? limit ?)',
  )
  return {
    saveSourceHash: async (workspaceId, sourceId, audience, hash) =>
      void save.run(workspaceId, sourceId, audience, hash, nextTurn.get()?.turn ?? 0),
    saveSourceState: async (workspaceId, sourceId, audience, { hash, saveSequence }) => {
      raiseTurn.run(saveSequence)
      save.run(workspaceId, sourceId, audience, hash, saveSequence)
    },
    eraseSources: async (workspaceId, limit) => erase.run(workspaceId, limit).changes,
  }
}
