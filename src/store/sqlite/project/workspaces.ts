import { getTableColumns } from 'drizzle-orm'
import type { Visible } from '../../record.ts'
import type { ProjectEngine } from '../../shared/project/tables.ts'
import { createWorkspaceChanges, createWorkspaceLists } from '../../shared/project/workspaces.ts'
import type { Workspace, WorkspaceReads, WorkspaceWrites } from '../../workspace.ts'
import { toSelectList } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { workspaces } from '../schema/project.ts'
import { toVisibleList, type VisibleParams } from './visible.ts'

/** Ids of removed workspaces, which are few, by an index. SQLite evaluates it once per statement, whatever the number of rows compared with it. */
export const REMOVED_WORKSPACES = '(select id from workspaces indexed by workspaces_removed where removed_at is not null)'

export function createWorkspaceReads(client: Connection, engine: ProjectEngine): WorkspaceReads {
  const byName = client.statement<Workspace, [string]>(
    `select ${toSelectList(getTableColumns(workspaces))} from workspaces where name = ? and removed_at is null`,
  )
  const written = client.statement<unknown, [...VisibleParams, workspaceId: number]>(
    'select 1 from workspace_audiences where workspace_id = ?4 and (?1 is null or audience in (?1, ?2, ?3)) limit 1',
  )
  const isWritten = (visible: Visible, id: number) => written.get(...toVisibleList(visible), id) !== null
  return {
    ...createWorkspaceLists(engine),
    findWorkspace: async (name) => byName.get(name) ?? undefined,
    findSeenWorkspace: async (visible, name) => {
      const found = byName.get(name)
      return found !== null && (visible === undefined || isWritten(visible, found.id)) ? found : undefined
    },
    isWrittenFor: async (visible, workspaceId) => isWritten(visible, workspaceId),
  }
}

export function createWorkspaceWrites(client: Connection, engine: ProjectEngine): Omit<WorkspaceWrites, 'eraseSources'> {
  const insert = client.statement<unknown, [name: string, createdAt: number]>('insert into workspaces (name, created_at) values (?, ?)')
  return {
    ...createWorkspaceChanges(engine, async () => {}),
    insertWorkspace: async (name, createdAt) => {
      const { lastInsertRowid } = insert.run(name, createdAt)
      return { id: Number(lastInsertRowid), name, createdAt, removedAt: null }
    },
  }
}
