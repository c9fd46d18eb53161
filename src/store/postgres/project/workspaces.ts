import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Visible } from '../../record.ts'
import { toCause, withFailures } from '../../shared/engine.ts'
import type { ProjectEngine } from '../../shared/project/tables.ts'
import { createWorkspaceChanges, createWorkspaceLists } from '../../shared/project/workspaces.ts'
import type { Workspace, WorkspaceReads, WorkspaceWrites } from '../../workspace.ts'
import { workspaceAudiences, workspaces } from '../schema/project.ts'
import { toEngine } from './engine.ts'
import { isOf, isVisible, type Scope } from './scope.ts'
import { WORKSPACE } from './workspace-row.ts'
import type { WriteScope } from './write-scope.ts'

export function createWorkspaceReads(scope: Scope): WorkspaceReads {
  const { run } = scope
  const find = (name: string, condition?: SQL): Promise<Workspace | undefined> =>
    run(async ({ db }) => {
      const isNamed = and(isOf(workspaces, scope), eq(workspaces.name, name), isNull(workspaces.removedAt))
      return (await db.select(WORKSPACE).from(workspaces).where(and(isNamed, condition)).orderBy(asc(workspaces.id)))[0]
    })
  /** Whether a visible audience was ever given a record of the workspace with this id. */
  const isWritten = (visible: Visible, id: PgColumn | number) =>
    sql`exists (select 1 from ${workspaceAudiences} where ${and(
      isOf(workspaceAudiences, scope),
      eq(workspaceAudiences.workspaceId, id),
      isVisible(workspaceAudiences.audience, visible),
    )})`
  return {
    ...withFailures(toCause, createWorkspaceLists(toEngine(scope))),
    findWorkspace: (name) => find(name),
    findSeenWorkspace: (visible, name) => find(name, visible === undefined ? undefined : isWritten(visible, workspaces.id)),
    isWrittenFor: (visible, workspaceId) =>
      run(async ({ db }) => {
        const [row] = await db.execute<{ is: boolean }>(sql`select ${isWritten(visible, workspaceId)} as is`)
        return row?.is ?? false
      }),
  }
}

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
        await db.insert(workspaces).values({ projectId, ...workspace })
        state().lastWorkspaceId = workspace.id
        return workspace
      }),
  }
}
