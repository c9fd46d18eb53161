import { toComparableKey } from '../../../text/comparable.ts'
import type { ProjectEngine } from '../../shared/project/tables.ts'
import { createWorkspaceChanges } from '../../shared/project/workspaces.ts'
import type { WorkspaceWrites } from '../../workspace.ts'
import type { Connection } from '../connection.ts'

export function createWorkspaceWrites(client: Connection, engine: ProjectEngine): Omit<WorkspaceWrites, 'eraseSources'> {
  const insert = client.statement<unknown, [name: string, foldedName: string, createdAt: number]>(
    'insert into workspaces (name, folded_name, created_at) values (?, ?, ?)',
  )
  return {
    ...createWorkspaceChanges(engine, async () => {}),
    insertWorkspace: async (name, createdAt) => {
      const { lastInsertRowid } = insert.run(name, toComparableKey(name), createdAt)
      return { id: Number(lastInsertRowid), name, createdAt, removedAt: null }
    },
  }
}
