import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { SourceKind } from '../../history.ts'
import { bytes, exactText, time } from './types.ts'

// Session histories of projects. Fields are those of `store/history.ts`; as with all data of projects, `project_id`
// leads every table, key and index.

const projectId = () => integer().notNull()

export const historySources = pgTable(
  'history_sources',
  {
    projectId: projectId(),
    id: exactText().notNull(),
    /** Stands for the source in its lines. */
    number: integer().notNull(),
    ownerId: exactText().notNull(),
    device: exactText().notNull(),
    assistant: exactText().notNull(),
    sourceKey: exactText().notNull(),
    sessionId: exactText().notNull(),
    kind: exactText().$type<SourceKind>().notNull(),
    parentSessionId: exactText(),
    cwd: exactText(),
    gitBranch: exactText(),
    appVersion: exactText(),
    title: exactText(),
    firstAt: time(),
    lastAt: time(),
    createdAt: time().notNull(),
    receivedAt: time(),
    activeAt: time().notNull(),
    chain: exactText().notNull(),
    lastId: exactText(),
    sinceId: integer().notNull(),
    lines: integer().notNull(),
    lastLine: integer().notNull(),
    erasedLines: integer().notNull(),
    erasedAt: time(),
    closedAt: time(),
    forgottenAt: time(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('history_sources_by_number').on(table.projectId, table.number),
    uniqueIndex('history_sources_by_key')
      .on(table.projectId, table.ownerId, table.assistant, table.sourceKey)
      .where(sql`forgotten_at is null`),
    index('history_sources_by_activity')
      .on(table.projectId, table.ownerId, table.activeAt, table.id)
      .where(sql`lines > 0 and forgotten_at is null`),
    index('history_sources_by_session')
      .on(table.projectId, table.ownerId, table.sessionId, table.id)
      .where(sql`lines > 0 and forgotten_at is null`),
    index('history_sources_by_parent').on(table.projectId, table.ownerId, table.assistant, table.parentSessionId),
    index('history_sources_by_arrival')
      .on(table.projectId, table.receivedAt)
      .where(sql`lines > 0 and forgotten_at is null`),
    index('history_sources_erased')
      .on(table.projectId, table.number)
      .where(sql`erased_lines > 0 or forgotten_at is not null`),
  ],
)

/** `id` is the number of the source times 2^31, plus the number of the line in it. */
export const historyLines = pgTable(
  'history_lines',
  {
    projectId: projectId(),
    id: bigint({ mode: 'number' }).notNull(),
    key: exactText().notNull(),
    hash: exactText().notNull(),
    block: integer().notNull(),
    /** Bytes of the block's text. */
    at: integer().notNull(),
    length: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('history_lines_by_key').on(table.projectId, table.key),
    index('history_lines_by_block').on(table.projectId, table.block, table.at),
  ],
)

export const historyBlocks = pgTable(
  'history_blocks',
  {
    projectId: projectId(),
    id: integer().notNull(),
    sourceId: exactText().notNull(),
    /** Holds text of lines that are erased or say something else now. */
    stale: boolean().notNull().default(false),
    data: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('history_blocks_stale').on(table.projectId, table.id).where(sql`stale`),
  ],
)

/** The index of words. `id` is the number of the source times 2^12, plus the number of the passage. */
export const historyPassages = pgTable(
  'history_passages',
  {
    projectId: projectId(),
    id: bigint({ mode: 'number' }).notNull(),
    ownerId: exactText().notNull(),
    first: integer().notNull(),
    last: integer().notNull(),
    rules: integer().notNull(),
    lines: bytes().notNull(),
    /** Each word as a signed number. */
    words: integer().array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('history_passages_by_word').using('gin', table.words),
  ],
)

/** What each owner has stored; kept with every change. */
export const historyOwners = pgTable(
  'history_owners',
  { projectId: projectId(), ownerId: exactText().notNull(), bytes: bigint({ mode: 'number' }).notNull() },
  (table) => [primaryKey({ columns: [table.projectId, table.ownerId] })],
)

/** One row for each project with histories, which every write of them locks. The number of a block is given once. */
export const historyState = pgTable('history_state', {
  projectId: integer().primaryKey(),
  lastBlockId: integer().notNull().default(0),
})
