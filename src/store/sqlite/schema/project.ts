import { sql } from 'drizzle-orm'
import { blob, check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createProjectTables } from '../../shared/schema/project.ts'
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

export const records = sqliteTable(
  'records',
  {
    /** Order of saving; also the row id of the record's entry in `word_index`. */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    workspaceId: integer().notNull(),
    audience: text().notNull(),
    authorId: text().notNull(),
    /** Hashes of fact key and content as they are compared, and of what makes a save the same (`save-hash.ts`). */
    keyHash: integer().notNull(),
    contentHash: integer().notNull(),
    saveHash: integer().notNull(),
    /** Checksum of the row (`record-row.ts`), by which damage is found. */
    rowCheck: integer().notNull(),
    /** Length of the content in tokens. */
    length: integer().notNull(),
    /** The language that it was analyzed in. */
    language: text().notNull(),
    factKey: text().notNull(),
    factKeyGiven: integer({ mode: 'boolean' }).notNull(),
    status: text({ enum: ['unverified', 'verified', 'superseded'] }).notNull(),
    supersededBy: text(),
    sourceId: text(),
    sourceHash: text(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    forgottenAt: integer(),
    /** Time of the last save that created no other record; null if there was none. */
    refreshedAt: integer(),
    /** When it was saved last. */
    savedAt: integer().generatedAlwaysAs(sql`coalesce(refreshed_at, created_at)`, { mode: 'virtual' }),
    /**
     * The last segment of the source's path, ASCII letters in lower case: `rtrim` removes what follows the last slash.
     */
    sourceName: text().generatedAlwaysAs(
      sql`lower(substr(rtrim(source_id, '/'), length(rtrim(rtrim(source_id, '/'), replace(source_id, '/', ''))) + 1))`,
      { mode: 'virtual' },
    ),
    /** When a person verified it; kept while it is superseded. */
    verifiedAt: integer(),
    /** When it was verified, or else saved. */
    rankedAt: integer().generatedAlwaysAs(sql`coalesce(verified_at, created_at)`, { mode: 'virtual' }),
    /** Forgotten by an assistant although it was verified, and no person has looked at that yet. */
    needsReview: integer({ mode: 'boolean' }).notNull(),
    /** The guard marked its text, and no person has verified it since. */
    marked: integer({ mode: 'boolean' }).notNull(),
    // Last, since what comes after a long text in a row is read by way of all its pages.
    /** Phrases that it is asked for with, one a line. */
    askedAs: text(),
    /** The encoded tokens; null if the content is read instead. */
    codes: blob({ mode: 'buffer' }),
    content: text().notNull(),
  },
  (table) => [
    // The driver reads whatever is no number as false: `integrity_check` finds damage of these columns by this.
    check('flags', sql`fact_key_given in (0, 1) and needs_review in (0, 1) and marked in (0, 1)`),
    // Lists of a workspace (`records.ts`), and whether it has few records (`look-up.ts`).
    index('records_by_workspace').on(table.workspaceId, table.forgottenAt),
    // Rivals and repeated saves by their key, given or derived (`facts.ts`): whatever others saved, a step or two of
    // the index. No row of a rival is read.
    index('records_by_key')
      .on(
        ...[table.keyHash, table.workspaceId, table.audience, table.status, table.contentHash, table.saveHash],
        ...[table.seq, table.rankedAt, table.factKeyGiven, table.expiresAt],
      )
      .where(sql`forgotten_at is null`),
    // Superseded records of a fact in order of rank: its history, and what supersedes a record. A save does not write
    // it.
    index('records_superseded')
      .on(
        table.keyHash,
        table.workspaceId,
        table.audience,
        table.rankedAt,
        table.seq,
        table.contentHash,
        table.verifiedAt,
      )
      .where(sql`status = 'superseded' and fact_key_given and forgotten_at is null`),
    // In the order in which they were forgotten: the history of a fact.
    index('records_forgotten_by_key')
      .on(table.keyHash, table.workspaceId, table.audience, table.forgottenAt, table.seq)
      .where(sql`fact_key_given and forgotten_at is not null`),
    index('records_by_superseder').on(table.supersededBy).where(sql`superseded_by is not null`),
    // Records of a source (`records.ts`), its neighbours (`index/scoring.ts`) and counts (`statistics.ts`,
    // `sources.ts`), without reading rows.
    index('records_by_source')
      .on(
        table.workspaceId,
        table.sourceId,
        table.audience,
        table.seq,
        table.status,
        table.sourceHash,
        table.expiresAt,
        table.savedAt,
      )
      .where(sql`source_id is not null and forgotten_at is null`),
    // The trash in its order, and counted as far as somebody sees it.
    index('records_by_forgotten').on(table.forgottenAt, table.seq, table.audience).where(sql`forgotten_at is not null`),
    index('records_to_review').on(table.forgottenAt).where(sql`needs_review`),
    index('records_marked').on(table.seq).where(sql`marked`),
    // Most records are unverified and of everyone, and in neither of these: an ordinary save does not pay for them.
    // Of the verified ones it has what their contradictions are looked for by.
    index('records_by_status')
      .on(
        table.status,
        table.seq,
        table.workspaceId,
        table.keyHash,
        table.audience,
        table.contentHash,
        table.factKeyGiven,
      )
      .where(sql`status <> 'unverified' and forgotten_at is null`),
    index('records_by_audience').on(table.audience).where(sql`audience <> '*' and forgotten_at is null`),
    // In order of the last save; has what most lists are narrowed by and records are counted by, so that rows of others
    // are passed over without being read.
    index('records_by_saved')
      .on(table.savedAt, table.seq, table.workspaceId, table.audience, table.status, table.authorId, table.expiresAt)
      .where(sql`forgotten_at is null`),
    // Few records expire.
    index('records_by_expiry')
      .on(table.expiresAt, table.status, table.audience, table.workspaceId)
      .where(sql`expires_at is not null and forgotten_at is null`),
    index('records_by_source_name').on(table.sourceName).where(sql`source_id is not null and forgotten_at is null`),
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
