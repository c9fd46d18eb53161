import { sql } from 'drizzle-orm'
import { blob, customType, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { wholeRow } from './whole-row.ts'

// The file of a project's session histories. Times are milliseconds since 1970. Fields are those of `store/history.ts`.

export const sources = sqliteTable(
  'sources',
  {
    id: text().primaryKey(),
    /** Stands for the source in the numbers of its lines. */
    number: integer().notNull(),
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
    chain: text().notNull(),
    lastId: text(),
    sinceId: integer().notNull(),
    lines: integer().notNull(),
    lastLine: integer().notNull(),
    erasedLines: integer().notNull(),
    erasedAt: integer(),
    closedAt: integer(),
    forgottenAt: integer(),
  },
  (table) => [
    wholeRow('sources', table),
    uniqueIndex('sources_by_number').on(table.number),
    uniqueIndex('sources_by_key').on(table.ownerId, table.assistant, table.sourceKey).where(sql`forgotten_at is null`),
    index('sources_by_activity')
      .on(table.ownerId, table.activeAt, table.id)
      .where(sql`lines > 0 and forgotten_at is null`),
    index('sources_by_session')
      .on(table.ownerId, table.sessionId, table.id)
      .where(sql`lines > 0 and forgotten_at is null`),
    index('sources_by_parent')
      .on(table.ownerId, table.assistant, table.parentSessionId)
      .where(sql`kind = 'subagent' and lines > 0`),
    index('sources_by_arrival').on(table.receivedAt).where(sql`lines > 0 and forgotten_at is null`),
    index('sources_erased').on(table.number).where(sql`erased_lines > 0 or forgotten_at is not null`),
  ],
)

/** A hash in hexadecimal, stored as its bytes. */
const hash = customType<{ data: string; driverData: Uint8Array }>({
  dataType: () => 'blob',
  toDriver: (hex) => Buffer.from(hex, 'hex'),
  fromDriver: (bytes) => Buffer.from(bytes).toString('hex'),
})

/** `id` is the number of the source times 2^31, plus the number of the line in it. */
export const lines = sqliteTable(
  'lines',
  {
    id: integer().primaryKey(),
    /** The first 16 bytes of a SHA-256 of the source and what identifies the line in it. */
    key: hash().notNull(),
    /** The first 16 bytes of the SHA-256 of the text as it arrived. */
    hash: hash().notNull(),
    block: integer().notNull(),
    /** Bytes of the block's text. */
    at: integer().notNull(),
    length: integer().notNull(),
  },
  (table) => [uniqueIndex('lines_by_key').on(table.key), index('lines_by_block').on(table.block, table.at)],
)

/** Numbers are not reused: a reader that finds a block again must find the same texts. */
export const blocks = sqliteTable(
  'blocks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    sourceId: text().notNull(),
    /** Contains text of lines that are erased or say something else now. */
    stale: integer({ mode: 'boolean' }).notNull().default(false),
    data: blob({ mode: 'buffer' }).notNull(),
  },
  (table) => [index('blocks_stale').on(table.id).where(sql`stale`)],
)

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

/** What each owner has stored; kept with every change. */
export const owners = sqliteTable(
  'owners',
  {
    ownerId: text().primaryKey(),
    bytes: integer().notNull(),
  },
  (table) => [wholeRow('owners', table)],
)

/** One row: whose file this is, so that it is not taken for another project's. */
export const identity = sqliteTable(
  'identity',
  { projectId: text().primaryKey(), accountId: text().notNull() },
  (table) => [wholeRow('identity', table)],
)
