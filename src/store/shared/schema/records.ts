import { sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { StoredRecord } from '../../record.ts'
import type { DataKit } from '../../sqlite/schema/kit.ts'

/** The columns of records that both engines have; each puts them into an order of its own. */
export const createRecordColumns = ({ integerKey, text, integer, long, flag, bytes, computed }: DataKit) => ({
  /** Order of saving. */
  seq: integerKey(),
  id: text().notNull(),
  workspaceId: integer().notNull(),
  audience: text().notNull(),
  authorId: text().notNull(),
  /** Hashes of fact key and content as they are compared, and of what makes a save the same (`save-hash.ts`). */
  keyHash: long().notNull(),
  contentHash: long().notNull(),
  saveHash: long().notNull(),
  /** Length of the content in tokens. */
  length: integer().notNull(),
  /** The language that it was analyzed in. */
  language: text().notNull(),
  factKey: text().notNull(),
  factKeyGiven: flag().notNull(),
  status: text().$type<StoredRecord['status']>().notNull(),
  supersededBy: text(),
  sourceId: text(),
  sourceHash: text(),
  createdAt: long().notNull(),
  expiresAt: long(),
  forgottenAt: long(),
  /** Time of the last save that created no other record; null if there was none. */
  refreshedAt: long(),
  /** When it was saved last. */
  savedAt: computed(sql`coalesce(refreshed_at, created_at)`),
  /** When a person verified it; kept while it is superseded. */
  verifiedAt: long(),
  /** When it was verified, or else saved. */
  rankedAt: computed(sql`coalesce(verified_at, created_at)`),
  /** Forgotten by an assistant although it was verified, and no person has looked at that yet. */
  needsReview: flag().notNull(),
  /** The guard marked its text, and no person has verified it since. */
  marked: flag().notNull(),
  /** Phrases that it is asked for with, one a line. */
  askedAs: text(),
  /** The encoded tokens; null if the content is read instead. */
  codes: bytes().$type<Uint8Array>(),
  content: text().notNull(),
})

type RecordColumn = keyof ReturnType<typeof createRecordColumns> | 'sourceName'

/** The indexes of records. */
export function createRecordIndexes(
  { index, lead, covering, number }: DataKit,
  own: Record<RecordColumn, AnySQLiteColumn>,
) {
  const { keyHash, workspaceId, audience, status, contentHash, saveHash, seq, rankedAt, verifiedAt, factKeyGiven } = own
  const { expiresAt, forgottenAt, supersededBy, sourceId, sourceHash, sourceName, savedAt, authorId } = own
  const numbered = number(seq)
  return [
    // Lists of a workspace (`records.ts`), and whether it has few records (`look-up.ts`). PostgreSQL keeps entries of
    // one workspace together if nothing follows: 7 bytes each instead of 36.
    index('records_by_workspace').on(...lead(own), workspaceId, ...covering(forgottenAt)),
    // Rivals and repeated saves by their key, given or derived (`facts.ts`): whatever others saved, a step or two of
    // the index. No row of a rival is read.
    index('records_by_key')
      .on(
        ...[...lead(own), keyHash, workspaceId, audience, status, contentHash, saveHash],
        ...[seq, ...covering(rankedAt), factKeyGiven, ...covering(expiresAt)],
      )
      .where(sql`forgotten_at is null`),
    // Superseded records of a fact in order of rank: its history, and what supersedes a record. A save does not write
    // it.
    index('records_superseded')
      .on(...lead(own), keyHash, workspaceId, audience, rankedAt, seq, contentHash, verifiedAt)
      .where(sql`status = 'superseded' and fact_key_given and forgotten_at is null`),
    // In the order in which they were forgotten: the history of a fact.
    index('records_forgotten_by_key')
      .on(...lead(own), keyHash, workspaceId, audience, forgottenAt, seq)
      .where(sql`fact_key_given and forgotten_at is not null`),
    index('records_by_superseder')
      .on(...lead(own), supersededBy, ...numbered)
      .where(sql`superseded_by is not null`),
    // Records of a source (`records.ts`), its neighbours (`reads.ts`) and counts (`statistics.ts`,
    // `sources.ts`).
    index('records_by_source')
      .on(...lead(own), workspaceId, sourceId, audience, seq, ...covering(status, sourceHash, expiresAt, savedAt))
      .where(sql`source_id is not null and forgotten_at is null`),
    // The trash in its order, and counted as far as somebody sees it.
    index('records_by_forgotten')
      .on(...lead(own), forgottenAt, seq, ...covering(audience))
      .where(sql`forgotten_at is not null`),
    index('records_to_review')
      .on(...lead(own), forgottenAt)
      .where(sql`needs_review`),
    index('records_marked')
      .on(...lead(own), seq)
      .where(sql`marked`),
    // Most records are unverified and of everyone, and in neither of these: an ordinary save does not pay for them.
    // Of the verified ones it has what their contradictions are looked for by.
    index('records_by_status')
      .on(...[...lead(own), status, seq], ...covering(workspaceId, keyHash, audience, contentHash, factKeyGiven))
      .where(sql`status <> 'unverified' and forgotten_at is null`),
    index('records_by_audience')
      .on(...lead(own), audience, ...numbered)
      .where(sql`audience <> '*' and forgotten_at is null`),
    // In order of the last save; has what most lists are narrowed by and records are counted by, so that rows of others
    // are passed over without being read.
    index('records_by_saved')
      .on(...lead(own), savedAt, seq, ...covering(workspaceId, audience, status, authorId, expiresAt))
      .where(sql`forgotten_at is null`),
    // Few records expire.
    index('records_by_expiry')
      .on(...lead(own), expiresAt, ...covering(status, audience, workspaceId))
      .where(sql`expires_at is not null and forgotten_at is null`),
    index('records_by_source_name')
      .on(...lead(own), sourceName, ...numbered)
      .where(sql`source_id is not null and forgotten_at is null`),
  ]
}
