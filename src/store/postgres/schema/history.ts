import { bigint, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { createHistoryTables } from '../../shared/schema/history.ts'
import { bytes, exactText, POSTGRES_DATA_KIT } from './kit.ts'

// Session histories of projects.

export const { sources, lines, blocks, owners, suggestions } = createHistoryTables(POSTGRES_DATA_KIT, 'history_')

/** The index of words. `id` is the number of the source times 2^12, plus the number of the passage. */
export const passages = pgTable(
  'history_passages',
  {
    projectId: integer().notNull(),
    id: bigint({ mode: 'number' }).notNull(),
    ownerId: exactText().notNull(),
    first: integer().notNull(),
    last: integer().notNull(),
    rules: integer().notNull(),
    lines: bytes().notNull(),
    /** Each word as a signed number. */
    words: integer().array().notNull(),
  },
  // No index of words: under a policy PostgreSQL looks for elements of an array only in rows of the project.
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
)

/** One row for each project with histories, which every write of them locks. The number of a block is given once. */
export const historyState = pgTable('history_state', {
  projectId: integer().primaryKey(),
  lastBlockId: integer().notNull().default(0),
})
