import { sql } from 'drizzle-orm'
import type { SourceKind, Suggestion } from '../../history.ts'
import type { DataKit } from '../../sqlite/schema/kit.ts'

/**
 * The tables of session histories, but the index of words. Times are milliseconds since 1970. Fields are those of
 * `store/history.ts`. Names of tables and indexes begin with `prefix`.
 */
export function createHistoryTables(
  {
    table,
    ofProject,
    lead,
    key,
    textKey,
    longKey,
    serial,
    text,
    integer,
    long,
    flag,
    bytes,
    hash,
    index,
    uniqueIndex,
    wholeRow,
  }: DataKit,
  prefix: string,
) {
  return {
    sources: table(
      `${prefix}sources`,
      {
        ...ofProject(),
        id: textKey(),
        /** Stands for the source in the numbers of its lines. */
        number: integer().notNull(),
        ownerId: text().notNull(),
        device: text().notNull(),
        assistant: text().notNull(),
        sourceKey: text().notNull(),
        sessionId: text().notNull(),
        kind: text().$type<SourceKind>().notNull(),
        parentSessionId: text(),
        cwd: text(),
        gitBranch: text(),
        appVersion: text(),
        title: text(),
        firstAt: long(),
        lastAt: long(),
        createdAt: long().notNull(),
        receivedAt: long(),
        activeAt: long().notNull(),
        chain: text().notNull(),
        lastId: text(),
        sinceId: integer().notNull(),
        lines: integer().notNull(),
        lastLine: integer().notNull(),
        erasedLines: integer().notNull(),
        erasedAt: long(),
        closedAt: long(),
        forgottenAt: long(),
        examinedLine: integer().notNull(),
      },
      (own) => [
        ...key(own, own.id),
        ...wholeRow(`${prefix}sources`, own),
        uniqueIndex(`${prefix}sources_by_number`).on(...lead(own), own.number),
        uniqueIndex(`${prefix}sources_by_key`)
          .on(...lead(own), own.ownerId, own.assistant, own.sourceKey)
          .where(sql`forgotten_at is null`),
        index(`${prefix}sources_by_activity`)
          .on(...lead(own), own.ownerId, own.activeAt, own.id)
          .where(sql`lines > 0 and forgotten_at is null`),
        index(`${prefix}sources_by_session`)
          .on(...lead(own), own.ownerId, own.sessionId, own.id)
          .where(sql`lines > 0 and forgotten_at is null`),
        index(`${prefix}sources_by_parent`)
          .on(...lead(own), own.ownerId, own.assistant, own.parentSessionId)
          .where(sql`kind = 'subagent' and lines > 0`),
        index(`${prefix}sources_by_arrival`)
          .on(...lead(own), own.receivedAt)
          .where(sql`lines > 0 and forgotten_at is null`),
        index(`${prefix}sources_erased`)
          .on(...lead(own), own.number)
          .where(sql`erased_lines > 0 or forgotten_at is not null`),
        index(`${prefix}sources_unexamined`)
          .on(...lead(own), own.ownerId, own.activeAt)
          .where(sql`kind = 'main' and lines > 0 and forgotten_at is null and examined_line < last_line`),
      ],
    ),
    /** `id` is the number of the source times 2^31, plus the number of the line in it. */
    lines: table(
      `${prefix}lines`,
      {
        ...ofProject(),
        id: longKey(),
        /** The first 16 bytes of a SHA-256 of the source and what identifies the line in it. */
        key: hash().notNull(),
        /** The first 16 bytes of the SHA-256 of the text as it arrived. */
        hash: hash().notNull(),
        block: integer().notNull(),
        /** Bytes of the block's text. */
        at: integer().notNull(),
        length: integer().notNull(),
      },
      (own) => [
        ...key(own, own.id),
        uniqueIndex(`${prefix}lines_by_key`).on(...lead(own), own.key),
        index(`${prefix}lines_by_block`).on(...lead(own), own.block, own.at),
      ],
    ),
    /** Numbers are not reused: a reader that finds a block again must find the same texts. */
    blocks: table(
      `${prefix}blocks`,
      {
        ...ofProject(),
        id: serial(),
        sourceId: text().notNull(),
        /** Contains text of lines that are erased or say something else now. */
        stale: flag().notNull().default(false),
        data: bytes().notNull(),
      },
      (own) => [
        ...key(own, own.id),
        index(`${prefix}blocks_stale`)
          .on(...lead(own), own.id)
          .where(sql`stale`),
      ],
    ),
    /** Owners list theirs by state; those of a session are erased with it. */
    suggestions: table(
      `${prefix}suggestions`,
      {
        ...ofProject(),
        id: textKey(),
        ownerId: text().notNull(),
        sourceId: text().notNull(),
        line: integer().notNull(),
        state: text().$type<Suggestion['state']>().notNull(),
        text: text().notNull(),
        terms: text().notNull(),
        createdAt: long().notNull(),
      },
      (own) => [
        ...key(own, own.id),
        ...wholeRow(`${prefix}suggestions`, own),
        index(`${prefix}suggestions_by_owner`).on(...lead(own), own.ownerId, own.state, own.createdAt),
        index(`${prefix}suggestions_by_source`).on(...lead(own), own.sourceId),
      ],
    ),
    /** What each owner has stored, kept with every change, and when they agreed to suggestions. */
    owners: table(
      `${prefix}owners`,
      { ...ofProject(), ownerId: textKey(), bytes: long().notNull(), agreedAt: long() },
      (own) => [...key(own, own.ownerId), ...wholeRow(`${prefix}owners`, own)],
    ),
  }
}
