import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { wholeRow } from './whole-row.ts'

// The file of a project's session histories. Times are milliseconds since 1970. Fields are those of `store/history.ts`.

export const sources = sqliteTable(
  'sources',
  {
    id: text().primaryKey(),
    ownerId: text().notNull(),
    device: text().notNull(),
    assistant: text().notNull(),
    sourceKey: text().notNull(),
    sessionId: text().notNull(),
    kind: text({ enum: ['main', 'subagent'] }).notNull(),
    parentSessionId: text(),
    cwd: text(),
    gitBranch: text(),
    appVersion: text(),
    title: text(),
    firstAt: integer(),
    lastAt: integer(),
    createdAt: integer().notNull(),
    receivedAt: integer(),
    activeAt: integer().notNull(),
    generation: integer().notNull(),
    shown: integer().notNull(),
    lines: integer().notNull(),
    erasedAt: integer(),
    closedAt: integer(),
    forgottenAt: integer(),
  },
  (table) => [
    wholeRow('sources', table),
    uniqueIndex('sources_by_key').on(table.ownerId, table.assistant, table.sourceKey).where(sql`forgotten_at is null`),
    index('sources_by_activity').on(table.ownerId, table.activeAt, table.id).where(sql`lines > 0 and forgotten_at is null`),
    index('sources_by_session').on(table.ownerId, table.sessionId, table.id).where(sql`lines > 0 and forgotten_at is null`),
    index('sources_by_parent').on(table.ownerId, table.assistant, table.parentSessionId).where(sql`kind = 'subagent' and lines > 0`),
    index('sources_by_arrival').on(table.receivedAt).where(sql`lines > 0 and forgotten_at is null`),
    index('sources_forgotten').on(table.forgottenAt).where(sql`forgotten_at is not null`),
  ],
)

export const generations = sqliteTable(
  'generations',
  {
    sourceId: text().notNull(),
    generation: integer().notNull(),
    rawEnd: integer().notNull(),
    chain: text().notNull(),
    lines: integer().notNull(),
    erasedLines: integer().notNull(),
    lastAt: integer(),
  },
  (table) => [
    wholeRow('generations', table),
    primaryKey({ columns: [table.sourceId, table.generation] }),
    index('generations_erased').on(table.sourceId, table.generation).where(sql`erased_lines > 0`),
  ],
)

export const segments = sqliteTable(
  'segments',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    sourceId: text().notNull(),
    generation: integer().notNull(),
    rawStart: integer().notNull(),
    rawEnd: integer().notNull(),
    digest: text().notNull(),
    chain: text().notNull(),
    firstLine: integer(),
    lines: integer().notNull(),
    rules: text().notNull(),
    receivedAt: integer().notNull(),
  },
  (table) => [
    wholeRow('segments', table),
    uniqueIndex('segments_by_place').on(table.sourceId, table.generation, table.rawStart).where(sql`first_line is not null`),
    index('segments_by_line').on(table.sourceId, table.generation, table.firstLine).where(sql`first_line is not null`),
    index('segments_unkept').on(table.receivedAt).where(sql`first_line is null`),
  ],
)

/** A line of a segment; `id` is the segment's number times 2^16, plus the place in it from 0. */
export const lines = sqliteTable('lines', { id: integer().primaryKey(), record: integer().notNull() }, (table) => [
  index('lines_by_record').on(table.record),
])

export const records = sqliteTable(
  'records',
  {
    id: integer().primaryKey(),
    /** The first 16 bytes of a SHA-256 over the owner and the text. */
    key: blob({ mode: 'buffer' }).notNull(),
    block: integer().notNull(),
    /** Bytes of the block's text. */
    at: integer().notNull(),
    length: integer().notNull(),
  },
  (table) => [uniqueIndex('records_by_key').on(table.key), index('records_by_block').on(table.block, table.at)],
)

/** Numbers are not reused: a reader that finds a block again must find the same texts. */
export const blocks = sqliteTable(
  'blocks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ownerId: text().notNull(),
    rawBytes: integer().notNull(),
    /** Contains text of erased records. */
    stale: integer({ mode: 'boolean' }).notNull().default(false),
    data: blob({ mode: 'buffer' }).notNull(),
  },
  (table) => [index('blocks_stale').on(table.id).where(sql`stale = 1`)],
)

/** What each owner has stored; kept with every change. */
export const owners = sqliteTable(
  'owners',
  {
    ownerId: text().primaryKey(),
    bytes: integer().notNull(),
    receivedAt: integer(),
  },
  (table) => [wholeRow('owners', table)],
)

/** One row: whose file this is, so that it is not taken for that of another project. */
export const identity = sqliteTable('identity', { projectId: text().primaryKey(), accountId: text().notNull() }, (table) => [
  wholeRow('identity', table),
])
