import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { Visible } from '../../record.ts'
import type { SeenWorkspace, Workspace, WorkspaceReads, WorkspaceWrites } from '../../workspace.ts'
import { toSelectList } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { audienceStats, importedSources, languages, records, sources, workspaceAudiences, workspaces } from '../schema/project.ts'
import { toVisibleList, type VisibleParams } from './visible.ts'

const WORKSPACE = toSelectList(getTableColumns(workspaces), 'w')
/** Ids of removed workspaces, which are few, by an index. SQLite evaluates it once per statement, whatever the number of rows compared with it. */
export const REMOVED_WORKSPACES = '(select id from workspaces indexed by workspaces_removed where removed_at is not null)'

const VISIBLE = '(?1 is null or audience in (?1, ?2, ?3))'
const RECORDS = `(select coalesce(sum(records), 0) from holdings where workspace_id = w.id and ${VISIBLE}) as records`

/** A page of an audience's workspaces after the name `?4`. Each audience has a limit of its own, so that the union never has more than three pages. */
const pageOf = (audience: string) => `select * from (select name, workspace_id from workspace_audiences
  where audience = ${audience} and name is not null and name > ?4 order by name limit ?5)`

type PageParams = [...VisibleParams, after: string, limit: number]

export function createWorkspaceReads(client: Connection, db: BunSQLiteDatabase): WorkspaceReads {
  const byName = client.statement<Workspace, [string]>(`select ${WORKSPACE} from workspaces as w where name = ? and removed_at is null`)
  const all = client.statement<SeenWorkspace, PageParams>(
    `select ${WORKSPACE}, ${RECORDS} from workspaces as w where removed_at is null and name > ?4 order by name limit ?5`,
  )
  const visibleOnly = client.statement<SeenWorkspace, PageParams>(
    `select ${WORKSPACE}, ${RECORDS} from (${['?1', '?2', '?3'].map(pageOf).join(' union ')} order by name limit ?5) as page
      join workspaces as w on w.id = page.workspace_id order by w.name`,
  )
  const count = client.statement<{ n: number }, []>('select count(*) as n from workspaces where removed_at is null')
  const written = client.statement<unknown, [...VisibleParams, workspaceId: number]>(
    `select 1 from workspace_audiences where workspace_id = ?4 and ${VISIBLE} limit 1`,
  )
  const removed = client.statement<Workspace, [string | null, number, number]>(
    `select ${WORKSPACE} from workspaces as w where removed_at is not null and (?1 is null or name = ?1) and id > ?2 order by id limit ?3`,
  )
  const isWritten = (visible: Visible, id: number) => written.get(...toVisibleList(visible), id) !== null
  return {
    findWorkspace: async (name) => byName.get(name) ?? undefined,
    findSeenWorkspace: async (visible, name) => {
      const found = byName.get(name)
      return found !== null && (visible === undefined || isWritten(visible, found.id)) ? found : undefined
    },
    findWorkspaceById: async (id) => db.select().from(workspaces).where(eq(workspaces.id, id)).get(),
    findWorkspacesById: async (ids) =>
      db
        .select()
        .from(workspaces)
        .where(sql`${workspaces.id} in (select value from json_each(${JSON.stringify(ids)}))`)
        .all(),
    listWorkspaces: async (visible, { after = '', limit }) =>
      (visible === undefined ? all : visibleOnly).all(...toVisibleList(visible), after, limit),
    countWorkspaces: async () => count.get()?.n ?? 0,
    isWrittenFor: async (visible, workspaceId) => isWritten(visible, workspaceId),
    listRemovedWorkspaces: async ({ name = null, afterId = 0, limit }) => removed.all(name, afterId, limit),
  }
}

export function createWorkspaceWrites(client: Connection, db: BunSQLiteDatabase): Omit<WorkspaceWrites, 'eraseSources'> {
  const insert = client.statement<unknown, [name: string, createdAt: number]>('insert into workspaces (name, created_at) values (?, ?)')
  return {
    insertWorkspace: async (name, createdAt) => {
      const { lastInsertRowid } = insert.run(name, createdAt)
      return { id: Number(lastInsertRowid), name, createdAt, removedAt: null }
    },
    removeWorkspace: async (id, removedAt) => {
      db.update(workspaces).set({ removedAt }).where(eq(workspaces.id, id)).run()
      db.update(workspaceAudiences).set({ name: null }).where(eq(workspaceAudiences.workspaceId, id)).run()
    },
    eraseWorkspace: async (id) => {
      if (db.select({ seq: records.seq }).from(records).where(eq(records.workspaceId, id)).limit(1).get() !== undefined) return false
      for (const table of [sources, importedSources, audienceStats, languages, workspaceAudiences])
        db.delete(table).where(eq(table.workspaceId, id)).run()
      db.delete(workspaces).where(eq(workspaces.id, id)).run()
      return true
    },
  }
}
