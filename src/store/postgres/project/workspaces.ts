import { toComparableKey } from '../../../text/comparable.ts'
import type { ProjectEngine } from '../../shared/project/tables.ts'
import { createWorkspaceChanges } from '../../shared/project/workspaces.ts'
import type { WorkspaceWrites } from '../../workspace.ts'
import { workspaces } from '../schema/project.ts'
import type { WriteScope } from './write-scope.ts'

export function createWorkspaceWrites(scope: WriteScope, engine: ProjectEngine): Omit<WorkspaceWrites, 'eraseSources'> {
  const { run, projectId, state, changes, ahead } = scope
  return {
    ...createWorkspaceChanges(engine, () => {
      ahead.clear()
      return run((connection) => changes.flush(connection))
    }),
    insertWorkspace: (name, createdAt) =>
      run(async ({ db }) => {
        const workspace = { id: state().lastWorkspaceId + 1, name, createdAt, removedAt: null }
        await db.insert(workspaces).values({ projectId, foldedName: toComparableKey(name), ...workspace })
        state().lastWorkspaceId = workspace.id
        return workspace
      }),
  }
}
