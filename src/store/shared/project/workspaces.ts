import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { toComparableKey } from '../../../text/comparable.ts'
import type { Visible } from '../../record.ts'
import type { Workspace, WorkspaceReads, WorkspaceWrites } from '../../workspace.ts'
import { isOwn, toColumns } from '../engine.ts'
import {
  type Columns,
  isVisible,
  NOBODY,
  type ProjectEngine,
  type ProjectSql,
  toSelectList,
  toVisibleParams,
} from './sql.ts'

export function createWorkspaceReads({ all, own, numbers }: ProjectSql, engine: ProjectEngine): WorkspaceReads {
  const { db, tables, isAmong } = engine
  const { workspaces, workspaceAudiences: audiences, audienceStats } = tables
  const { foldedName: _foldedName, ...shown } = toColumns(workspaces)
  const columns: Columns = shown
  const fields = toSelectList(columns, 'workspaces')
  /**
   * Ids of the workspaces on the page after a name: of each audience no more than a page is read, by the index that is
   * in order of name.
   */
  async function listSeenIds(visible: string[], after: string, limit: number): Promise<number[]> {
    const ids = new Set<number>()
    for (const audience of visible) {
      const isNamed = and(isNotNull(audiences.name), gt(audiences.name, after))
      const page = db.select({ id: audiences.workspaceId }).from(audiences)
      const found = page.where(and(isOwn(engine, audiences), eq(audiences.audience, audience), isNamed))
      for (const { id } of await found.orderBy(asc(audiences.name)).limit(limit)) ids.add(id)
    }
    return [...ids]
  }

  /** The oldest workspace with a value in a column of names, `workspace_audiences` having one of the audiences. */
  async function findOldest(
    column: 'name' | 'folded_name',
    name: string,
    writtenFor: Visible,
  ): Promise<Workspace | undefined> {
    const isWritten = `exists (select 1 from workspace_audiences
      where ${own('workspace_audiences')} and workspace_id = workspaces.id and ${isVisible(writtenFor)})`
    const text = `select ${fields} from workspaces
      where ${own('workspaces')} and workspaces.${column} = $name and removed_at is null and ${writtenFor === undefined ? 'true' : isWritten}
      order by workspaces.id limit 1`
    return (await all<Workspace>(text, { name, ...toVisibleParams(writtenFor) }, columns))[0]
  }

  return {
    findWorkspace: (name, writtenFor) => findOldest('name', name, writtenFor),
    findWorkspaceInAnyCase: (name, writtenFor) => findOldest('folded_name', toComparableKey(name), writtenFor),
    findWorkspacesById: (ids) =>
      all<Workspace>(
        `select ${fields} from workspaces where ${own('workspaces')} and id in (select number from ${numbers('ids')} as wanted)`,
        { ids },
        columns,
      ),
    listWorkspaces: async (visible, { after = '', limit }) => {
      const isSeen = visible && isAmong(workspaces.id, [0, ...(await listSeenIds(visible, after, limit))])
      const isCounted = and(
        eq(audienceStats.workspaceId, workspaces.id),
        visible && inArray(audienceStats.audience, [NOBODY, ...visible]),
      )
      const counted = sql`select coalesce(sum(${audienceStats.records}), 0) from ${audienceStats} where ${and(isOwn(engine, audienceStats), isCounted)}`
      return db
        .select({ ...shown, records: sql<number>`(${counted})`.mapWith(Number) })
        .from(workspaces)
        .where(and(isOwn(engine, workspaces), isNull(workspaces.removedAt), gt(workspaces.name, after), isSeen))
        .orderBy(asc(workspaces.name))
        .limit(limit)
    },
    countWorkspaces: async () => {
      const text = `select cast(count(*) as integer) as number from workspaces where ${own('workspaces')} and removed_at is null`
      return (await all<{ number: number }>(text, {}))[0]?.number ?? 0
    },
    listRemovedWorkspaces: async ({ name, afterId = 0, limit }) => {
      const isNamed = name === undefined ? undefined : eq(workspaces.name, name)
      const found = db.select(shown).from(workspaces)
      return found
        .where(and(isOwn(engine, workspaces), isNotNull(workspaces.removedAt), isNamed, gt(workspaces.id, afterId)))
        .orderBy(asc(workspaces.id))
        .limit(limit)
    },
  }
}

/** `toId` returns the number of a new workspace, and `beforeChange` is awaited before rows of workspaces change. */
export function createWorkspaceWrites(
  engine: ProjectEngine,
  toId: () => number | undefined,
  beforeChange: () => void | Promise<void>,
): Omit<WorkspaceWrites, 'eraseSources'> {
  const { db, own, tables } = engine
  const { workspaces, workspaceAudiences, records, ...ofWorkspaces } = tables
  return {
    insertWorkspace: async (name, createdAt) => {
      const row = { ...own, id: toId(), name, foldedName: toComparableKey(name), createdAt }
      const [{ id = 0 } = {}] = await db.insert(workspaces).values(row).returning({ id: workspaces.id })
      return { id, name, createdAt, removedAt: null }
    },
    updateWorkspace: async (id, change) => {
      await beforeChange()
      await db
        .update(workspaces)
        .set('name' in change ? { ...change, foldedName: toComparableKey(change.name) } : change)
        .where(and(isOwn(engine, workspaces), eq(workspaces.id, id)))
      await db
        .update(workspaceAudiences)
        .set({ name: 'name' in change ? change.name : null })
        .where(and(isOwn(engine, workspaceAudiences), eq(workspaceAudiences.workspaceId, id)))
    },
    eraseWorkspace: async (id) => {
      await beforeChange()
      const found = db.select({ seq: records.seq }).from(records)
      if ((await found.where(and(isOwn(engine, records), eq(records.workspaceId, id))).limit(1)).length > 0)
        return false
      const { sources, importedSources, audienceStats, languages } = ofWorkspaces
      for (const table of [sources, importedSources, audienceStats, languages, workspaceAudiences])
        await db.delete(table).where(and(isOwn(engine, table), eq(table.workspaceId, id)))
      await db.delete(workspaces).where(and(isOwn(engine, workspaces), eq(workspaces.id, id)))
      return true
    },
  }
}
