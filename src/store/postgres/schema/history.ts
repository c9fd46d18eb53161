import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { SourceKind } from '../../history.ts'
import { bytes, exactText, time } from './types.ts'

// Session histories of projects. Fields are those of `store/history.ts`; as with all data of projects, `project_id` leads every table, key and index.

const projectId = () => exactText().notNull()

export const historySources = pgTable(
  'history_sources',
  {
    projectId: projectId(),
    id: exactText().notNull(),
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
    generation: integer().notNull(),
    shown: integer().notNull(),
    lines: integer().notNull(),
    erasedAt: time(),
    closedAt: time(),
    forgottenAt: time(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
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
    index('history_sources_by_arrival').on(table.projectId, table.receivedAt).where(sql`lines > 0 and forgotten_at is null`),
    index('history_sources_forgotten').on(table.projectId, table.forgottenAt).where(sql`forgotten_at is not null`),
  ],
)

export const historyGenerations = pgTable(
  'history_generations',
  {
    projectId: projectId(),
    sourceId: exactText().notNull(),
    generation: integer().notNull(),
    rawEnd: bigint({ mode: 'number' }).notNull(),
    chain: exactText().notNull(),
    lines: integer().notNull(),
    erasedLines: integer().notNull(),
    lastAt: time(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.sourceId, table.generation] }),
    index('history_generations_erased').on(table.projectId, table.sourceId, table.generation).where(sql`erased_lines > 0`),
  ],
)

export const historySegments = pgTable(
  'history_segments',
  {
    projectId: projectId(),
    id: integer().notNull(),
    sourceId: exactText().notNull(),
    generation: integer().notNull(),
    rawStart: bigint({ mode: 'number' }).notNull(),
    rawEnd: bigint({ mode: 'number' }).notNull(),
    digest: exactText().notNull(),
    chain: exactText().notNull(),
    firstLine: integer(),
    lines: integer().notNull(),
    rules: exactText().notNull(),
    receivedAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('history_segments_by_place')
      .on(table.projectId, table.sourceId, table.generation, table.rawStart)
      .where(sql`first_line is not null`),
    index('history_segments_by_line')
      .on(table.projectId, table.sourceId, table.generation, table.firstLine)
      .where(sql`first_line is not null`),
    index('history_segments_unkept').on(table.projectId, table.receivedAt).where(sql`first_line is null`),
  ],
)

/** A line of a segment, numbered from 0, and its record. */
export const historyLines = pgTable(
  'history_lines',
  { projectId: projectId(), segmentId: integer().notNull(), place: integer().notNull(), recordId: integer().notNull() },
  (table) => [
    primaryKey({ columns: [table.projectId, table.segmentId, table.place] }),
    index('history_lines_by_record').on(table.projectId, table.recordId),
  ],
)

export const historyRecords = pgTable(
  'history_records',
  {
    projectId: projectId(),
    id: integer().notNull(),
    key: exactText().notNull(),
    blockId: integer().notNull(),
    /** Bytes of the block's text. */
    at: integer().notNull(),
    length: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('history_records_by_key').on(table.projectId, table.key),
    index('history_records_by_block').on(table.projectId, table.blockId, table.at),
  ],
)

export const historyBlocks = pgTable(
  'history_blocks',
  {
    projectId: projectId(),
    id: integer().notNull(),
    ownerId: exactText().notNull(),
    rawBytes: integer().notNull(),
    /** Holds text of records that are erased. */
    stale: boolean().notNull().default(false),
    data: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('history_blocks_stale').on(table.projectId, table.id).where(sql`stale`),
  ],
)

/** What each owner has stored; kept with every change. */
export const historyOwners = pgTable(
  'history_owners',
  { projectId: projectId(), ownerId: exactText().notNull(), bytes: bigint({ mode: 'number' }).notNull(), receivedAt: time() },
  (table) => [primaryKey({ columns: [table.projectId, table.ownerId] })],
)

/** One row for each project with histories, which every write of them locks. The numbers last given; none is given twice. */
export const historyState = pgTable('history_state', {
  projectId: exactText().primaryKey(),
  lastSegmentId: integer().notNull().default(0),
  lastRecordId: integer().notNull().default(0),
  lastBlockId: integer().notNull().default(0),
})
