import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createProjectTables } from '../../shared/schema/project.ts'
import { createRecordColumns, createRecordIndexes } from '../../shared/schema/records.ts'
import { SQLITE_DATA_KIT } from './kit.ts'

// A project's file. Times are milliseconds since 1970; audiences are those of `store/record.ts`.

export const {
  workspaces,
  workspaceAudiences,
  recentStates,
  importedSources,
  sources,
  audienceStats,
  languages,
  releases,
  questions,
} = createProjectTables(SQLITE_DATA_KIT)

const columns = createRecordColumns(SQLITE_DATA_KIT)
const { seq, id, workspaceId, audience, authorId, keyHash, contentHash, saveHash, length, language, factKey } = columns
const { factKeyGiven, status, supersededBy, sourceId, sourceHash, createdAt, expiresAt, forgottenAt } = columns
const { refreshedAt, savedAt, verifiedAt, rankedAt, needsReview, marked, askedAs, codes, content } = columns

/** `seq` is also the row id of the record's entry in `word_index`. */
export const records = sqliteTable(
  'records',
  {
    ...{ seq, id: id.unique(), workspaceId, audience, authorId, keyHash, contentHash, saveHash },
    /** Checksum of the row (`record-row.ts`), by which damage is found. */
    rowCheck: integer().notNull(),
    ...{ length, language, factKey, factKeyGiven, status, supersededBy, sourceId, sourceHash },
    ...{ createdAt, expiresAt, forgottenAt, refreshedAt, savedAt },
    /**
     * The last segment of the source's path, ASCII letters in lower case: `rtrim` removes what follows the last slash.
     */
    sourceName: text().generatedAlwaysAs(
      sql`lower(substr(rtrim(source_id, '/'), length(rtrim(rtrim(source_id, '/'), replace(source_id, '/', ''))) + 1))`,
      { mode: 'virtual' },
    ),
    ...{ verifiedAt, rankedAt, needsReview, marked },
    // Last, since what comes after a long text in a row is read by way of all its pages.
    ...{ askedAs, codes, content },
  },
  (table) => [
    // The driver reads whatever is no number as false: `integrity_check` finds damage of these columns by this.
    check('flags', sql`fact_key_given in (0, 1) and needs_review in (0, 1) and marked in (0, 1)`),
    ...createRecordIndexes(SQLITE_DATA_KIT, table),
  ],
)

/** One row: what counts against the plan. */
export const usage = sqliteTable('usage', {
  id: integer().primaryKey(),
  records: integer().notNull(),
  contentBytes: integer().notNull(),
  /** Grows whenever records are forgotten, restored or erased. */
  removals: integer().notNull().default(0),
})

/** One row: the project of this file, so that it cannot be taken for another project's. */
export const identity = sqliteTable(
  'identity',
  { projectId: text().primaryKey(), accountId: text().notNull() },
  (table) => SQLITE_DATA_KIT.wholeRow('identity', table),
)

/**
 * One row: the analyzer version of the index (`rules`); while it is rebuilt, the version it is rebuilt for and the last
 * record done.
 */
export const indexing = sqliteTable('indexing', {
  id: integer().primaryKey(),
  rules: integer().notNull(),
  target: integer().notNull(),
  reached: integer().notNull(),
})
