import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

// A project's file. Times are milliseconds since 1970. An audience says who sees a record: `*`, `d:<department>` or `a:<author>`.

export const workspaces = sqliteTable(
  'workspaces',
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    createdAt: integer().notNull(),
    removedAt: integer(),
  },
  (table) => [uniqueIndex('workspaces_by_name').on(table.name).where(sql`removed_at is null`)],
)

/** Who has ever been given something to see in a workspace: to everyone else it was never written to. */
export const workspaceAudiences = sqliteTable(
  'workspace_audiences',
  {
    workspaceId: integer().notNull(),
    audience: text().notNull(),
    /** The workspace's, so that an audience's workspaces are found in order of name; null once the workspace is removed. */
    name: text(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.audience] }),
    index('workspace_audiences_by_name').on(table.audience, table.name).where(sql`name is not null`),
  ],
)

export const records = sqliteTable(
  'records',
  {
    /** Order of saving; the row of the index with this number is this record's. */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    workspaceId: integer().notNull(),
    audience: text().notNull(),
    authorId: text().notNull(),
    content: text().notNull(),
    /** First 52 bits of the content's SHA-256, to find the same content again. */
    contentHash: integer().notNull(),
    /** Length of the content in words, by which the index keeps its averages. */
    length: integer().notNull().default(1),
    /** The words packed for ranking; null where the text is read instead. */
    codes: blob({ mode: 'buffer' }),
    factKey: text().notNull(),
    factKeyGiven: integer({ mode: 'boolean' }).notNull(),
    status: text({ enum: ['unverified', 'verified', 'superseded'] }).notNull(),
    supersededBy: text(),
    sourceId: text(),
    sourceHash: text(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    forgottenAt: integer(),
  },
  (table) => [
    index('records_by_workspace').on(table.workspaceId, table.forgottenAt),
    index('records_by_content').on(table.contentHash),
    index('records_by_fact_key').on(table.workspaceId, table.factKey).where(sql`fact_key_given = 1`),
    // All that is asked of rivals, so that no row of theirs is read before it is wanted.
    index('records_current_by_fact_key')
      .on(table.workspaceId, table.factKey, table.audience, table.status, table.contentHash, table.createdAt)
      .where(sql`fact_key_given = 1 and forgotten_at is null and status <> 'superseded'`),
    index('records_by_superseder').on(table.supersededBy).where(sql`superseded_by is not null`),
    index('records_by_source').on(table.workspaceId, table.sourceId).where(sql`source_id is not null`),
    // Finds a record's neighbours without walking over what others saved between them, or what was forgotten.
    index('records_beside')
      .on(table.workspaceId, table.sourceId, table.audience)
      .where(sql`source_id is not null and forgotten_at is null`),
    index('records_by_forgotten').on(table.forgottenAt).where(sql`forgotten_at is not null`),
    // What most records are is in neither, so that an ordinary save does not pay for them.
    index('records_by_status').on(table.status).where(sql`status <> 'unverified' and forgotten_at is null`),
    index('records_by_audience').on(table.audience).where(sql`audience <> '*' and forgotten_at is null`),
  ],
)

/** The hash most recently saved for a source, per audience, so that nobody learns of a save they may not see. */
export const sources = sqliteTable(
  'sources',
  {
    workspaceId: integer().notNull(),
    sourceId: text().notNull(),
    audience: text().notNull(),
    hash: text().notNull(),
    /** Grows with every save in the project: the largest visible one is the current. */
    turn: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.sourceId, table.audience] })],
)

/** One row: what counts against the plan, and the number of saves so far. */
export const usage = sqliteTable('usage', {
  id: integer().primaryKey(),
  records: integer().notNull(),
  contentBytes: integer().notNull(),
  turn: integer().notNull(),
})

/** What the index holds for each audience of a workspace: how many records, and how many words they have together. */
export const holdings = sqliteTable(
  'holdings',
  {
    workspaceId: integer().notNull(),
    audience: text().notNull(),
    records: integer().notNull(),
    length: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.audience] })],
)

/** How many records each audience of a workspace saved in each language other than English, so that nobody's question is read by what others write. */
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

/** The same of the project as a whole: an executable from before `languages` that still runs counts here. Nothing reads it. */
export const tongues = sqliteTable('tongues', { language: text().primaryKey(), records: integer().notNull() })

/** One row: by which rules the index was made; while it is made anew, by which it will be, and the last record done. Erasures are counted. */
export const indexing = sqliteTable('indexing', {
  id: integer().primaryKey(),
  rules: integer().notNull(),
  target: integer().notNull(),
  reached: integer().notNull(),
  erasures: integer().notNull().default(0),
})

/** Texts that the guard rejects and people decided about, or are asked to. Times are milliseconds since 1970. */
export const releases = sqliteTable(
  'releases',
  {
    /** SHA-256 of the text, in hexadecimal. */
    hash: text().primaryKey(),
    state: text({ enum: ['asked', 'allowed', 'declined'] }).notNull(),
    text: text(),
    /** What the guard said of it. */
    reason: text(),
    why: text(),
    /** As the audit log calls them. */
    askedBy: text(),
    askedAt: integer(),
    decidedBy: text(),
    decidedAt: integer(),
  },
  (table) => [index('releases_by_state').on(table.state, table.askedBy)],
)
