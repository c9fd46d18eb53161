import { and, asc, count, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Visible } from '../../record.ts'
import type { NamePage, SeenWorkspace, Workspace, WorkspaceReads, WorkspaceWrites } from '../../workspace.ts'
import { numbers } from '../among.ts'
import { audienceStats, importedSources, languages, records, sources, workspaceAudiences, workspaces } from '../schema/project.ts'
import { isOf, isVisible, type Scope } from './scope.ts'
import { WORKSPACE } from './workspace-row.ts'
import type { WriteScope } from './write-scope.ts'

export function createWorkspaceReads(scope: Scope): WorkspaceReads {
  const { run } = scope
  const find = (condition: ReturnType<typeof and>, limit?: number): Promise<Workspace[]> =>
    run(({ db }) => {
      const found = db
        .select(WORKSPACE)
        .from(workspaces)
        .where(and(isOf(workspaces, scope), condition))
        .orderBy(asc(workspaces.id))
      return limit === undefined ? found : found.limit(limit)
    })
  const isNamed = (name: string) => and(eq(workspaces.name, name), isNull(workspaces.removedAt))
  /** Whether a visible audience was ever given a record of the workspace with this id. */
  const isWritten = (visible: Visible, id: PgColumn | number) =>
    sql`exists (select 1 from ${workspaceAudiences} where ${and(
      isOf(workspaceAudiences, scope),
      eq(workspaceAudiences.workspaceId, id),
      isVisible(workspaceAudiences.audience, visible),
    )})`
  return {
    findWorkspace: async (name) => (await find(isNamed(name)))[0],
    findSeenWorkspace: async (visible, name) =>
      (await find(and(isNamed(name), visible === undefined ? undefined : isWritten(visible, workspaces.id))))[0],
    findWorkspaceById: async (id) => (await find(eq(workspaces.id, id)))[0],
    findWorkspacesById: (ids) => find(sql`${workspaces.id} in ${numbers(ids)}`),
    listWorkspaces: (visible, page) => listSeen(scope, visible, page),
    countWorkspaces: () =>
      run(async ({ db }) => {
        const [row] = await db
          .select({ n: count() })
          .from(workspaces)
          .where(and(isOf(workspaces, scope), isNull(workspaces.removedAt)))
        return row?.n ?? 0
      }),
    isWrittenFor: (visible, workspaceId) =>
      run(async ({ db }) => {
        const [row] = await db.execute<{ is: boolean }>(sql`select ${isWritten(visible, workspaceId)} as is`)
        return row?.is ?? false
      }),
    listRemovedWorkspaces: ({ name, afterId = 0, limit }) =>
      find(
        and(isNotNull(workspaces.removedAt), name === undefined ? undefined : eq(workspaces.name, name), gt(workspaces.id, afterId)),
        limit,
      ),
  }
}

/** A page of workspaces with the records that are visible of each: of each audience no more than a page is read, by the index that is in order of name. */
function listSeen(scope: Scope, visible: Visible, { after = '', limit }: NamePage): Promise<SeenWorkspace[]> {
  return scope.run(async ({ db }) => {
    const names = new Map<number, string>()
    const pageOf = (audience: string) =>
      db
        .select({ id: workspaceAudiences.workspaceId, name: sql<string>`${workspaceAudiences.name}` })
        .from(workspaceAudiences)
        .where(
          and(
            isOf(workspaceAudiences, scope),
            eq(workspaceAudiences.audience, audience),
            isNotNull(workspaceAudiences.name),
            gt(workspaceAudiences.name, after),
          ),
        )
        .orderBy(asc(workspaceAudiences.name))
        .limit(limit)
    for (const audience of visible ?? []) for (const { id, name } of await pageOf(audience)) names.set(id, name)
    const isSeen = visible === undefined ? undefined : inArray(workspaces.id, [0, ...names.keys()])
    const counted = db
      .select({ n: sql`coalesce(sum(${audienceStats.records}), 0)` })
      .from(audienceStats)
      .where(and(isOf(audienceStats, scope), eq(audienceStats.workspaceId, workspaces.id), isVisible(audienceStats.audience, visible)))
    return db
      .select({ ...WORKSPACE, records: sql<number>`(${counted})::integer` })
      .from(workspaces)
      .where(and(isOf(workspaces, scope), isNull(workspaces.removedAt), gt(workspaces.name, after), isSeen))
      .orderBy(asc(workspaces.name))
      .limit(limit)
  })
}

export function createWorkspaceWrites(scope: WriteScope): Omit<WorkspaceWrites, 'eraseSources'> {
  const { run, projectId, state, changes, ahead } = scope
  return {
    insertWorkspace: (name, createdAt) =>
      run(async ({ db }) => {
        const workspace = { id: state().lastWorkspaceId + 1, name, createdAt, removedAt: null }
        await db.insert(workspaces).values({ projectId, ...workspace })
        state().lastWorkspaceId = workspace.id
        return workspace
      }),
    removeWorkspace: (id, removedAt) =>
      run(async (connection) => {
        ahead.clear()
        await changes.flush(connection)
        const { db } = connection
        await db
          .update(workspaces)
          .set({ removedAt })
          .where(and(isOf(workspaces, scope), eq(workspaces.id, id)))
        await db
          .update(workspaceAudiences)
          .set({ name: null })
          .where(and(isOf(workspaceAudiences, scope), eq(workspaceAudiences.workspaceId, id)))
      }),
    eraseWorkspace: (id) =>
      run(async (connection) => {
        ahead.clear()
        await changes.flush(connection)
        const { db } = connection
        const ofWorkspace = and(isOf(records, scope), eq(records.workspaceId, id))
        if ((await db.select({ seq: records.seq }).from(records).where(ofWorkspace).limit(1)).length > 0) return false
        for (const table of [sources, importedSources, audienceStats, languages, workspaceAudiences])
          await db.delete(table).where(and(isOf(table, scope), eq(table.workspaceId, id)))
        await db.delete(workspaces).where(and(isOf(workspaces, scope), eq(workspaces.id, id)))
        return true
      }),
  }
}
