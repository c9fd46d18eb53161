import { sql } from 'drizzle-orm'
import type { Release } from '../../release.ts'
import type { PastHash } from '../../source-hashes.ts'
import type { DataKit } from '../../sqlite/schema/kit.ts'

/**
 * The tables of a project's data, but its records and what each engine has to find them by. Times are milliseconds since
 * 1970; audiences are those of `store/record.ts`.
 */
export function createProjectTables({
  table,
  ofProject,
  lead,
  key,
  integerKey,
  textKey,
  text,
  integer,
  long,
  json,
  index,
  uniqueIndex,
  wholeRow,
}: DataKit) {
  return {
    workspaces: table(
      'workspaces',
      {
        ...ofProject(),
        id: integerKey(),
        name: text().notNull(),
        /** The name without case. */
        foldedName: text().notNull(),
        createdAt: long().notNull(),
        removedAt: long(),
      },
      (own) => [
        ...key(own, own.id),
        ...wholeRow('workspaces', own),
        uniqueIndex('workspaces_by_name')
          .on(...lead(own), own.name)
          .where(sql`removed_at is null`),
        index('workspaces_by_folded_name')
          .on(...lead(own), own.foldedName)
          .where(sql`removed_at is null`),
        index('workspaces_removed')
          .on(...lead(own), own.id)
          .where(sql`removed_at is not null`),
      ],
    ),
    /** Audiences that ever had a record in a workspace. */
    workspaceAudiences: table(
      'workspace_audiences',
      {
        ...ofProject(),
        workspaceId: integer().notNull(),
        audience: text().notNull(),
        /**
         * Name of the workspace, so that an audience's workspaces are found in order of name; null once the workspace is
         * removed.
         */
        name: text(),
      },
      (own) => [
        ...key(own, own.workspaceId, own.audience),
        ...wholeRow('workspace_audiences', own),
        index('workspace_audiences_by_name')
          .on(...lead(own), own.audience, own.name)
          .where(sql`name is not null`),
      ],
    ),
    /** States of sources under which a record was saved recently, and when it was for the first time. */
    recentStates: table(
      'recent_states',
      { ...ofProject(), recordId: text().notNull(), hash: text().notNull(), savedAt: long().notNull() },
      (own) => [...key(own, own.recordId, own.hash), index('recent_states_by_time').on(...lead(own), own.savedAt)],
    ),
    /** Sources imported from folders. `root`: SHA-256 of the path of the folder, in hexadecimal. */
    importedSources: table(
      'imported_sources',
      { ...ofProject(), root: text().notNull(), workspaceId: integer().notNull(), sourceId: text().notNull() },
      (own) => [
        ...key(own, own.root, own.workspaceId, own.sourceId),
        // What is known of a workspace that is erased.
        index('imported_sources_by_workspace').on(...lead(own), own.workspaceId, own.sourceId),
      ],
    ),
    /**
     * The hash most recently saved for a source by each audience, kept apart so that nobody learns of a save that is not
     * visible to them.
     */
    sources: table(
      'sources',
      {
        ...ofProject(),
        workspaceId: integer().notNull(),
        sourceId: text().notNull(),
        audience: text().notNull(),
        hash: text().notNull(),
        /** Of the visible hashes, the one with the largest is current. */
        saveSequence: long().notNull(),
        /** The last hashes, oldest first. */
        hashes: json<PastHash[]>().notNull().default(sql`'[]'`),
      },
      (own) => [...key(own, own.workspaceId, own.sourceId, own.audience), ...wholeRow('sources', own)],
    ),
    /** Number and total length in tokens of the records in the index, for each audience of a workspace. */
    audienceStats: table(
      'audience_stats',
      {
        ...ofProject(),
        workspaceId: integer().notNull(),
        audience: text().notNull(),
        records: integer().notNull(),
        length: long().notNull(),
      },
      (own) => key(own, own.workspaceId, own.audience),
    ),
    /**
     * Number of records of each audience of a workspace in each language other than English: a query is analyzed in the
     * languages visible to its caller.
     */
    languages: table(
      'languages',
      {
        ...ofProject(),
        workspaceId: integer().notNull(),
        audience: text().notNull(),
        language: text().notNull(),
        records: integer().notNull(),
      },
      (own) => key(own, own.workspaceId, own.audience, own.language),
    ),
    /** Texts that the guard rejects, and the decisions whether they may be saved anyway. */
    releases: table(
      'releases',
      {
        ...ofProject(),
        /** SHA-256 of the text, in hexadecimal. */
        hash: textKey(),
        state: text().$type<Release['state']>().notNull(),
        text: text(),
        reason: text(),
        why: text(),
        askedBy: text(),
        askedAt: long(),
        decidedBy: text(),
        decidedAt: long(),
      },
      (own) => [
        ...key(own, own.hash),
        ...wholeRow('releases', own),
        index('releases_by_state').on(...lead(own), own.state, own.askedBy),
      ],
    ),
    /**
     * Questions that no record answered; without a text those that were dismissed. `id`: SHA-256 of the text without
     * case and blanks, in hexadecimal.
     */
    questions: table(
      'questions',
      { ...ofProject(), id: textKey(), text: text(), asked: integer().notNull(), at: long().notNull() },
      (own) => [...key(own, own.id), ...wholeRow('questions', own)],
    ),
  }
}
