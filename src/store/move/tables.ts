/**
 * The tables that a move carries from one engine to another, by the part of the data they are in and in the order in which they are written. Their names are those of the
 * rows that engines exchange; each engine says which of its own tables they are (`moved-tables.ts`) and which it makes anew instead. A test fails where one is forgotten.
 */
export const MOVED_TABLES = {
  control: [
    'accounts',
    'departments',
    'members',
    'projects',
    'access',
    'keys',
    'passwords',
    'sessions',
    'entryLinks',
    'invitations',
    'emailChanges',
    'browsers',
    'oauthClients',
    'grants',
    'connections',
    'integrations',
    'enabledIntegrations',
    'toolLists',
    'audit',
    'dailyUse',
  ],
  records: ['workspaces', 'workspaceAudiences', 'records', 'recentStates', 'importedSources', 'sources', 'languages', 'releases'],
  histories: ['historySources', 'generations', 'segments', 'blocks', 'historyRecords', 'lines', 'owners'],
} as const

export type MovedTables = typeof MOVED_TABLES
/** A part's kind: what is of no project, and the records or the session histories of one project. */
export type PartKind = keyof MovedTables
export type MovedTable = MovedTables[PartKind][number]

/** Rows read or written at once: those of tables with long rows take up to some megabytes. */
const PAGE_ROWS: Partial<Record<MovedTable, number>> = { records: 250, releases: 250, blocks: 16, toolLists: 8 }
const USUAL_PAGE_ROWS = 500

export const pageRowsOf = (table: MovedTable): number => PAGE_ROWS[table] ?? USUAL_PAGE_ROWS
