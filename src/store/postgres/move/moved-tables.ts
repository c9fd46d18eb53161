import { getTableColumns, type Table } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Entity } from '../../control.ts'
import type { MovedTable } from '../../move/tables.ts'
import { type ProjectTables, toRecordColumns } from '../../shared/project/sql.ts'
import { CONTROL_TABLES } from '../schema/control.ts'
import * as history from '../schema/history.ts'
import * as project from '../schema/project.ts'

/** A table, which of its columns are carried, and the columns by which its rows are in order. */
export type PostgresMoved = {
  table: PgTable
  columns: Record<string, PgColumn>
  order: PgColumn[]
}

/** All columns but these, in the order of the primary key. */
function moved(table: PgTable, ...without: string[]): PostgresMoved {
  const { primaryKeys, columns } = getTableConfig(table)
  // A key of several columns has copies of them, which cannot tell their types.
  const named = new Set(primaryKeys.flatMap((key) => key.columns.map(({ name }) => name)))
  const order = columns.filter(({ name, primary }) => primary || named.has(name))
  const carried = Object.entries(getTableColumns(table)).filter(([name]) => !without.includes(name))
  return { table, columns: Object.fromEntries(carried), order }
}

const RECORD = toRecordColumns(project.records as unknown as ProjectTables['records']) as unknown as Record<
  string,
  PgColumn
>

/** A table of the data of projects; every such table says whose its rows are. */
const ofProject = (table: Table) => moved(table as PgTable, 'projectId')

export const POSTGRES_MOVED: Record<MovedTable, PostgresMoved> = {
  ...(Object.fromEntries(
    Object.entries(CONTROL_TABLES).map(([name, table]) => [name, moved(table as unknown as PgTable)]),
  ) as Record<Entity, PostgresMoved>),
  workspaces: ofProject(project.workspaces),
  workspaceAudiences: ofProject(project.workspaceAudiences),
  records: { ...ofProject(project.records), columns: RECORD },
  recentStates: ofProject(project.recentStates),
  importedSources: ofProject(project.importedSources),
  sources: ofProject(project.sources),
  releases: ofProject(project.releases),
  questions: ofProject(project.questions),
  historySources: ofProject(history.historySources),
  blocks: ofProject(history.historyBlocks),
  lines: ofProject(history.historyLines),
  owners: ofProject(history.historyOwners),
  suggestions: ofProject(history.historySuggestions),
}
