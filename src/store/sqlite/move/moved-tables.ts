import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Entity } from '../../control.ts'
import type { MovedTable } from '../../move/tables.ts'
import { toRecordColumns } from '../../shared/project/sql.ts'
import { CONTROL_TABLES } from '../schema/control.ts'
import * as history from '../schema/history.ts'
import * as project from '../schema/project.ts'

/** A table and the columns that are moved. */
type SqliteMoved = { table: SQLiteTable; columns: Record<string, SQLiteTable['_']['columns'][string]> }

const plain = (table: SQLiteTable): SqliteMoved => ({ table, columns: getTableColumns(table) })

/** A table without the columns that the target sets itself. */
const without = (table: SQLiteTable, ...names: string[]): SqliteMoved => {
  const carried = Object.entries(getTableColumns(table)).filter(([name]) => !names.includes(name))
  return { ...plain(table), columns: Object.fromEntries(carried) }
}

export const SQLITE_MOVED: Record<MovedTable, SqliteMoved> = {
  ...(Object.fromEntries(Object.entries(CONTROL_TABLES).map(([name, table]) => [name, plain(table)])) as Record<
    Entity,
    SqliteMoved
  >),
  // That a file was made is known to this engine only.
  projects: without(CONTROL_TABLES.projects, 'madeAt', 'historyMadeAt'),
  workspaces: plain(project.workspaces),
  workspaceAudiences: plain(project.workspaceAudiences),
  records: { ...plain(project.records), columns: toRecordColumns(project.records) },
  recentStates: plain(project.recentStates),
  importedSources: plain(project.importedSources),
  sources: plain(project.sources),
  releases: plain(project.releases),
  questions: plain(project.questions),
  historySources: plain(history.sources),
  blocks: plain(history.blocks),
  lines: plain(history.lines),
  owners: plain(history.owners),
  suggestions: plain(history.suggestions),
}
