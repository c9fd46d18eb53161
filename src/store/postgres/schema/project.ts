import { integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { createProjectTables } from '../../shared/schema/project.ts'
import { createRecordColumns, createRecordIndexes } from '../../shared/schema/records.ts'
import { bytes, exactText, POSTGRES_DATA_KIT, time } from './kit.ts'

// The data of projects. Audiences are those of `store/record.ts`.

const projectId = () => integer().notNull()

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
} = createProjectTables(POSTGRES_DATA_KIT)

const kit = POSTGRES_DATA_KIT
const columns = createRecordColumns(kit)
const { keyHash, contentHash, saveHash, createdAt, expiresAt, forgottenAt, refreshedAt, savedAt, verifiedAt } = columns
const { rankedAt, workspaceId, length, factKeyGiven, needsReview, marked, id, audience, authorId, content } = columns
const { seq, codes, language, factKey, status, supersededBy, sourceId, sourceHash, askedAs } = columns

export const records = kit.table(
  'records',
  {
    // Columns of a fixed size come first, the largest of them before the others: nothing is lost to alignment.
    ...{ ...kit.ofProject(), seq, keyHash, contentHash, saveHash, createdAt, expiresAt, forgottenAt, refreshedAt },
    ...{ savedAt, verifiedAt, rankedAt, workspaceId },
    /** Length of content and phrases in bytes of UTF-8. */
    contentBytes: kit.integer().notNull(),
    ...{ length, factKeyGiven, needsReview, marked, id, audience, authorId, content, codes },
    /** The terms by which it is in the index, with a space between them. */
    terms: kit.text().notNull(),
    ...{ language, factKey, status, supersededBy, sourceId },
    /** The last part of the source between slashes, with ASCII letters in lower case. */
    sourceName: kit.text(),
    ...{ sourceHash, askedAs },
  },
  (own) => [
    ...kit.key(own, own.seq),
    kit.uniqueIndex('records_by_id').on(...kit.lead(own), own.id),
    ...createRecordIndexes(kit, own),
  ],
)

/**
 * The index: of each term that records of an audience in a workspace hold their numbers, in blocks
 * (`project/packed.ts`). A row for each term of each record takes three times the time to write, and ten times to read.
 */
export const postingLists = pgTable(
  'posting_lists',
  {
    projectId: projectId(),
    workspaceId: integer().notNull(),
    block: integer().notNull(),
    audience: exactText().notNull(),
    term: exactText().notNull(),
    seqs: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.audience, table.term, table.workspaceId, table.block] })],
)

/**
 * One row for each project that was ever written to. A write locks it first, so that writes of a project take effect
 * one after the other.
 */
export const projectState = pgTable('project_state', {
  projectId: integer().primaryKey(),
  /** Grows with every write. */
  version: time().notNull().default(0),
  records: integer().notNull().default(0),
  contentBytes: time().notNull().default(0),
  lastSeq: integer().notNull().default(0),
  /** Grows whenever records are forgotten, restored or erased. */
  removals: integer().notNull().default(0),
  lastWorkspaceId: integer().notNull().default(0),
  /**
   * The analyzer version of the index; while it is rebuilt, the version it is rebuilt for and the last record done.
   * Null while nothing was ever saved.
   */
  rules: integer(),
  target: integer(),
  reached: integer(),
})
