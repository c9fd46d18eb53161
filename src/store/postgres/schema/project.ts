import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { StoredRecord } from '../../record.ts'
import { createProjectTables } from '../../shared/schema/project.ts'
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

export const records = pgTable(
  'records',
  {
    projectId: projectId(),
    /** Order of saving. */
    seq: integer().notNull(),
    // Columns of a fixed size come first, the largest of them before the others: nothing is lost to alignment.
    /** Hashes of fact key and content as they are compared, and of what makes a save the same (`save-hash.ts`). */
    keyHash: bigint({ mode: 'number' }).notNull(),
    contentHash: bigint({ mode: 'number' }).notNull(),
    saveHash: bigint({ mode: 'number' }).notNull(),
    createdAt: time().notNull(),
    expiresAt: time(),
    forgottenAt: time(),
    /** Last save after the first that made no other record; null if there was none. */
    refreshedAt: time(),
    /** When it was saved last. */
    savedAt: time().notNull().generatedAlwaysAs(sql`coalesce(refreshed_at, created_at)`),
    /** When a person verified it; kept while it is superseded. */
    verifiedAt: time(),
    /** When it was verified, or else saved. */
    rankedAt: time().notNull().generatedAlwaysAs(sql`coalesce(verified_at, created_at)`),
    workspaceId: integer().notNull(),
    /** Length of content and phrases in bytes of UTF-8. */
    contentBytes: integer().notNull(),
    /** Length of the content in tokens. */
    length: integer().notNull(),
    factKeyGiven: boolean().notNull(),
    /** Forgotten by an assistant although it was verified, and no person has looked at that yet. */
    needsReview: boolean().notNull(),
    /** The guard marked its text, and no person has verified it since. */
    marked: boolean().notNull(),
    id: exactText().notNull(),
    audience: exactText().notNull(),
    authorId: exactText().notNull(),
    content: exactText().notNull(),
    /** The encoded tokens; null if the content is read instead. */
    codes: bytes(),
    /** The terms by which it is in the index, with a space between them. */
    terms: exactText().notNull(),
    language: exactText().notNull(),
    factKey: exactText().notNull(),
    status: exactText().$type<StoredRecord['status']>().notNull(),
    supersededBy: exactText(),
    sourceId: exactText(),
    /** The last part of the source between slashes, with ASCII letters in lower case. */
    sourceName: exactText(),
    sourceHash: exactText(),
    /** Phrases that it is asked for with, one a line. */
    askedAs: exactText(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.seq] }),
    uniqueIndex('records_by_id').on(table.projectId, table.id),
    index('records_by_key')
      .on(
        table.projectId,
        table.keyHash,
        table.workspaceId,
        table.audience,
        table.status,
        table.contentHash,
        table.saveHash,
        table.seq,
        table.factKeyGiven,
      )
      .where(sql`forgotten_at is null`),
    index('records_superseded')
      .on(
        table.projectId,
        table.keyHash,
        table.workspaceId,
        table.audience,
        table.rankedAt,
        table.seq,
        table.contentHash,
        table.verifiedAt,
      )
      .where(sql`status = 'superseded' and fact_key_given and forgotten_at is null`),
    index('records_forgotten_by_key')
      .on(table.projectId, table.keyHash, table.workspaceId, table.audience, table.forgottenAt, table.seq)
      .where(sql`fact_key_given and forgotten_at is not null`),
    index('records_by_superseder')
      .on(table.projectId, table.supersededBy, table.seq)
      .where(sql`superseded_by is not null`),
    index('records_by_source')
      .on(table.projectId, table.workspaceId, table.sourceId, table.audience, table.seq)
      .where(sql`source_id is not null and forgotten_at is null`),
    index('records_by_source_name')
      .on(table.projectId, table.sourceName, table.seq)
      .where(sql`source_id is not null and forgotten_at is null`),
    // Without numbers, so that PostgreSQL keeps entries of one workspace together: 7 bytes each instead of 36.
    index('records_by_workspace').on(table.projectId, table.workspaceId),
    index('records_by_expiry')
      .on(table.projectId, table.expiresAt)
      .where(sql`expires_at is not null and forgotten_at is null`),
    index('records_by_forgotten')
      .on(table.projectId, table.forgottenAt, table.seq)
      .where(sql`forgotten_at is not null`),
    index('records_to_review').on(table.projectId, table.forgottenAt).where(sql`needs_review`),
    index('records_marked').on(table.projectId, table.seq).where(sql`marked`),
    index('records_by_status')
      .on(table.projectId, table.status, table.seq)
      .where(sql`status <> 'unverified' and forgotten_at is null`),
    index('records_by_audience')
      .on(table.projectId, table.audience, table.seq)
      .where(sql`audience <> '*' and forgotten_at is null`),
    index('records_by_saved').on(table.projectId, table.savedAt, table.seq).where(sql`forgotten_at is null`),
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
