import { sql } from 'drizzle-orm'
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { PastHash } from '../../source-hashes.ts'
import { wholeRow } from './whole-row.ts'

// A project's file. Times are milliseconds since 1970; audiences are those of `store/record.ts`.

export const workspaces = sqliteTable(
  'workspaces',
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    /** The name without case. */
    foldedName: text().notNull(),
    createdAt: integer().notNull(),
    removedAt: integer(),
  },
  (table) => [
    wholeRow('workspaces', table),
    uniqueIndex('workspaces_by_name').on(table.name).where(sql`removed_at is null`),
    index('workspaces_by_folded_name').on(table.foldedName).where(sql`removed_at is null`),
    index('workspaces_removed').on(table.id).where(sql`removed_at is not null`),
  ],
)

/** Audiences that ever had a record in a workspace. */
export const workspaceAudiences = sqliteTable(
  'workspace_audiences',
  {
    workspaceId: integer().notNull(),
    audience: text().notNull(),
    /**
     * Name of the workspace, so that an audience's workspaces are found in order of name; null once the workspace is
     * removed.
     */
    name: text(),
  },
  (table) => [
    wholeRow('workspace_audiences', table),
    primaryKey({ columns: [table.workspaceId, table.audience] }),
    index('workspace_audiences_by_name').on(table.audience, table.name).where(sql`name is not null`),
  ],
)

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

/** States of sources under which a record was saved recently, and when it was for the first time. */
export const recentStates = sqliteTable(
  'recent_states',
  {
    recordId: text().notNull(),
    hash: text().notNull(),
    savedAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.recordId, table.hash] }), index('recent_states_by_time').on(table.savedAt)],
)

/** Sources imported from folders. */
export const importedSources = sqliteTable(
  'imported_sources',
  {
    /** SHA-256 of the path of the folder, in hexadecimal. */
    root: text().notNull(),
    workspaceId: integer().notNull(),
    sourceId: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.root, table.workspaceId, table.sourceId] }),
    // What is known of a workspace that is erased.
    index('imported_sources_by_workspace').on(table.workspaceId, table.sourceId),
  ],
)

/**
 * The hash most recently saved for a source by each audience, kept apart so that nobody learns of a save that is not
 * visible to them.
 */
export const sources = sqliteTable(
  'sources',
  {
    workspaceId: integer().notNull(),
    sourceId: text().notNull(),
    audience: text().notNull(),
    hash: text().notNull(),
    /** Of the visible hashes, the one with the largest is current. */
    saveSequence: integer().notNull(),
    /** The last hashes, oldest first. */
    hashes: text({ mode: 'json' }).$type<PastHash[]>().notNull().default([]),
  },
  (table) => [wholeRow('sources', table), primaryKey({ columns: [table.workspaceId, table.sourceId, table.audience] })],
)

/** One row: what counts against the plan. */
export const usage = sqliteTable('usage', {
  id: integer().primaryKey(),
  records: integer().notNull(),
  contentBytes: integer().notNull(),
  /** Grows whenever records are forgotten, restored or erased. */
  removals: integer().notNull().default(0),
  /** Whether rows were erased since the file was last scrubbed. */
  toScrub: integer({ mode: 'boolean' }).notNull().default(false),
})

/** Number and total length in tokens of the records in the index, for each audience of a workspace. */
export const audienceStats = sqliteTable(
  'audience_stats',
  {
    workspaceId: integer().notNull(),
    audience: text().notNull(),
    records: integer().notNull(),
    length: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.audience] })],
)

/**
 * Number of records of each audience of a workspace in each language other than English: a query is analyzed in the
 * languages visible to its caller.
 */
export const languages = sqliteTable(
  'languages',
  {
    workspaceId: integer().notNull(),
    audience: text().notNull(),
    language: text().notNull(),
    records: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.audience, table.language] })],
)

/** One row: the project of this file, so that it cannot be taken for another project's. */
export const identity = sqliteTable(
  'identity',
  { projectId: text().primaryKey(), accountId: text().notNull() },
  (table) => [wholeRow('identity', table)],
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

/** Texts that the guard rejects, and the decisions whether they may be saved anyway. */
export const releases = sqliteTable(
  'releases',
  {
    /** SHA-256 of the text, in hexadecimal. */
    hash: text().primaryKey(),
    state: text({ enum: ['asked', 'allowed', 'declined'] }).notNull(),
    text: text(),
    reason: text(),
    why: text(),
    askedBy: text(),
    askedAt: integer(),
    decidedBy: text(),
    decidedAt: integer(),
  },
  (table) => [wholeRow('releases', table), index('releases_by_state').on(table.state, table.askedBy)],
)

/** Questions that no record answered; without a text those that were dismissed. */
export const questions = sqliteTable(
  'questions',
  {
    /** SHA-256 of the text without case and blanks, in hexadecimal. */
    id: text().primaryKey(),
    text: text(),
    asked: integer().notNull(),
    at: integer().notNull(),
  },
  (table) => [wholeRow('questions', table)],
)
