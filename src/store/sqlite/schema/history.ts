import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createHistoryTables } from '../../shared/schema/history.ts'
import { SQLITE_DATA_KIT } from './kit.ts'

// The file of a project's session histories.

export const { sources, lines, blocks, owners, suggestions } = createHistoryTables(SQLITE_DATA_KIT, '')

/**
 * The index of words, beside `word_index`. `id` is the number of the source times 2^12, plus the number of the passage.
 */
export const passages = sqliteTable('passages', {
  id: integer().primaryKey(),
  ownerId: text().notNull(),
  first: integer().notNull(),
  last: integer().notNull(),
  rules: integer().notNull(),
  lines: blob({ mode: 'buffer' }).notNull(),
})

/** One row: whose file this is, so that it is not taken for another project's. */
export const identity = sqliteTable(
  'identity',
  { projectId: text().primaryKey(), accountId: text().notNull() },
  (table) => SQLITE_DATA_KIT.wholeRow('identity', table),
)
