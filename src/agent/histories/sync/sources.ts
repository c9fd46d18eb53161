import type { HistorySource } from '../source.ts'
import type { SyncDatabase } from './database.ts'
import { FIRST_CHAIN } from './positions.ts'

/**
 * Why a history is not uploaded: excluded by a pattern or date, erased at the service, in a folder that was removed, or
 * not readable.
 */
export type Exclusion = 'by choice' | 'forgotten' | 'outside' | 'unreadable'

/** Identifies the version of a file: every change of the file changes one of these. */
export const stampOf = ({ bytes, mtimeMs, inode }: HistorySource) => `${bytes}:${mtimeMs}:${inode}`

/** The name of a history among those of a target. */
export const toName = ({ assistant, sourceKey }: { assistant: string; sourceKey: string }) =>
  `${assistant}/${sourceKey}`

/** The service does not know the history, and so has nothing of it. */
export function markUnknown(database: SyncDatabase, id: number): void {
  database.query('UPDATE sources SET source_id = NULL, lines = 0 WHERE id = ?').run(id)
}

/** The service has registered the history, or knew it, and has this many lines of it. */
export function markRegistered(database: SyncDatabase, id: number, sourceId: string, lines: number): void {
  database.query('UPDATE sources SET source_id = ?, lines = ? WHERE id = ?').run(sourceId, lines, id)
}

/** The service's id of the history; null if it is not registered. */
export function readSourceId(database: SyncDatabase, id: number): string | null {
  return (
    database.query<{ source_id: string | null }, [number]>('SELECT source_id FROM sources WHERE id = ?').get(id)
      ?.source_id ?? null
  )
}

/** This version of the history is uploaded, except for `tail` bytes that are no whole line yet. */
export function markDone(database: SyncDatabase, id: number, stamp: string, tail: number): void {
  database
    .query('UPDATE sources SET done_stamp = ?, tail = ?, failed_stamp = NULL, failure = NULL WHERE id = ?')
    .run(stamp, tail, id)
}

/** This version of the history cannot be uploaded. `failure` holds nothing of its content. */
export function markFailed(database: SyncDatabase, id: number, stamp: string, failure: string): void {
  database.query('UPDATE sources SET failed_stamp = ?, failure = ? WHERE id = ?').run(stamp, failure, id)
}

/** The history must not be uploaded again, since it is to be erased at the service. */
export function markForgotten(database: SyncDatabase, id: number): void {
  const exclusion: Exclusion = 'forgotten'
  database.query('UPDATE sources SET excluded = ? WHERE id = ?').run(exclusion, id)
}

/**
 * The service has erased the history: there is nothing of it there, and it must not be uploaded again. `sourceId` is
 * its id if the service still knows it, as one that is closed.
 */
export function markErased(database: SyncDatabase, id: number, sourceId: string | null): void {
  database.transaction(() => {
    resetSource(database, id)
    if (sourceId !== null) markRegistered(database, id, sourceId, 0)
    markForgotten(database, id)
  })()
}

/** A history that the service may have. */
export type SentSource = { id: number; assistant: string; sourceKey: string; sourceId: string | null }

const MAY_BE_SENT = "(source_id IS NOT NULL OR excluded IS NOT 'forgotten')"

/** All histories of a target that the service may have. */
export function listSent(database: SyncDatabase, target: string): SentSource[] {
  const sql = `SELECT id, assistant, source_key AS sourceKey, source_id AS sourceId FROM sources WHERE target = ? AND ${MAY_BE_SENT}`
  return database.query<SentSource, [string]>(sql).all(target)
}

/** Those of a session and its subagents. */
export function listSentOf(
  database: SyncDatabase,
  target: string,
  { assistant, sessionId }: SessionName,
): SentSource[] {
  return database
    .query<SentSource, [string, string, string]>(
      `WITH RECURSIVE meant (session_id) AS (
         VALUES (?3) UNION SELECT sources.session_id FROM sources JOIN meant ON subagent_of = meant.session_id WHERE target = ?1 AND assistant = ?2)
       SELECT id, assistant, source_key AS sourceKey, source_id AS sourceId FROM sources
       WHERE target = ?1 AND assistant = ?2 AND session_id IN (SELECT session_id FROM meant) AND ${MAY_BE_SENT}`,
    )
    .all(target, assistant, sessionId)
}

export type SessionName = { assistant: string; sessionId: string }

/**
 * At most `limit` sessions with this id, of the assistant or of the service; if there are none, those whose ids begin
 * with it.
 */
export function findSessions(database: SyncDatabase, target: string, text: string, limit: number): SessionName[] {
  const find = (condition: string) =>
    database
      .query<SessionName, [string, string, number]>(
        `SELECT DISTINCT assistant, session_id AS sessionId FROM sources WHERE target = ?1 AND ${MAY_BE_SENT} AND ${condition} ORDER BY 2 LIMIT ?3`,
      )
      .all(target, text, limit)
  const exact = find('(session_id = ?2 OR source_id = ?2)')
  return exact.length > 0
    ? exact
    : find('(substr(session_id, 1, length(?2)) = ?2 OR substr(source_id, 1, length(?2)) = ?2)')
}

/** Resets the state of the history, as if nothing had been sent. */
export function resetSource(database: SyncDatabase, id: number): void {
  const sql = `UPDATE sources SET source_id = NULL, raw_end = 0, chain = '${FIRST_CHAIN}', cursor = NULL, lines = 0, done_stamp = NULL, failed_stamp = NULL,
    failure = NULL, excluded = NULL WHERE id = ?`
  database.transaction(() => {
    database.query(sql).run(id)
    database.query('DELETE FROM redactions WHERE source = ?').run(id)
  })()
}
