import type { Entity } from '../entity.ts'
import { createControlTables } from '../shared/schema/control.ts'
import { SQLITE_KIT } from '../sqlite/schema/control-kit.ts'

/** Every table of the schema of control data, which both engines share. */
const CONTROL = Object.keys(createControlTables(SQLITE_KIT)) as Entity[]

/**
 * The tables that a move transfers between engines, by part and in the order of writing. The names are those of the
 * exchanged rows; each engine maps them to its own tables (`moved-tables.ts`) and lists the tables that it builds anew
 * instead. A test fails if one is missing.
 */
export const MOVED_TABLES = {
  control: CONTROL,
  records: [
    'workspaces',
    'workspaceAudiences',
    'records',
    'recentStates',
    'importedSources',
    'sources',
    'releases',
    'questions',
  ],
  histories: ['historySources', 'blocks', 'lines', 'owners'],
} as const

type MovedTables = typeof MOVED_TABLES
/** Kind of a part: data outside of projects, or the records or session histories of one project. */
export type PartKind = keyof MovedTables
export type MovedTable = MovedTables[PartKind][number]

/** Rows read or written at once; a page of tables with long rows takes up to some megabytes. */
const PAGE_ROWS: Partial<Record<MovedTable, number>> = { records: 250, releases: 250, blocks: 16, toolLists: 8 }
const USUAL_PAGE_ROWS = 500

export const pageRowsOf = (table: MovedTable): number => PAGE_ROWS[table] ?? USUAL_PAGE_ROWS
