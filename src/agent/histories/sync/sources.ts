import type { HistorySource } from '../source.ts'
import type { SyncDatabase } from './database.ts'
import { FIRST_CHAIN } from './positions.ts'

/** A history of a target, as recorded in the database. */
export type KnownSource = {
  id: number
  sourceId: string | null
  isDone: boolean
  isFailed: boolean
  excluded: string | null
}

/**
 * Why a history is not uploaded: excluded by a pattern or date, erased at the service, in a folder that was removed, or
 * not readable.
 */
type Exclusion = 'by choice' | 'forgotten' | 'outside' | 'unreadable'

/** Recorded for a history whose file was deleted before it was completely uploaded. */
const GONE = 'the file is gone'

/** Identifies the version of a file: every change of the file changes one of these. */
export const stampOf = ({ bytes, mtimeMs, inode }: HistorySource) => `${bytes}:${mtimeMs}:${inode}`

type Row = {
  id: number
  source_id: string | null
  stamp: string
  done_stamp: string | null
  failed_stamp: string | null
  excluded: string | null
}

/** Records a history that was found, and returns its known state. A forgotten one stays forgotten. */
export function noteSource(
  database: SyncDatabase,
  target: string,
  source: HistorySource,
  excluded: Exclusion | null,
  now: number,
): KnownSource {
  const {
    assistant,
    sourceKey,
    sessionId,
    kind,
    parentSessionId,
    bytes,
    mtimeMs,
    lastAt = new Date(mtimeMs).toISOString(),
  } = source
  const subagentOf = kind === 'subagent' ? (parentSessionId ?? null) : null
  const row = database
    .query<Row, (string | number | null)[]>(
      `INSERT INTO sources (target, assistant, source_key, session_id, subagent_of, bytes, last_at, seen_at, excluded, stamp, raw_end, chain, lines)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '${FIRST_CHAIN}', 0)
       ON CONFLICT (target, assistant, source_key) DO UPDATE SET
         session_id = CASE WHEN excluded.excluded = 'unreadable' THEN sources.session_id ELSE excluded.session_id END,
         subagent_of = coalesce(excluded.subagent_of, sources.subagent_of), bytes = excluded.bytes, last_at = excluded.last_at,
         seen_at = excluded.seen_at, stamp = excluded.stamp, failed_stamp = CASE WHEN failure = '${GONE}' THEN NULL ELSE failed_stamp END,
         excluded = CASE WHEN sources.excluded = 'forgotten' THEN 'forgotten' ELSE excluded.excluded END
       RETURNING id, source_id, stamp, done_stamp, failed_stamp, excluded`,
    )
    .get(target, assistant, sourceKey, sessionId, subagentOf, bytes, lastAt, now, excluded, stampOf(source))
  if (row === null) throw new Error('a source was not noted')
  const { id, source_id: sourceId, stamp, done_stamp: done, failed_stamp: failed } = row
  return { id, sourceId, isDone: done === stamp, isFailed: failed === stamp, excluded: row.excluded }
}

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

/** The folder of a history is no longer uploaded. What the service has of it stays there. */
export function noteOutside(database: SyncDatabase, target: string, { assistant, sourceKey }: HistorySource): void {
  const exclusion: Exclusion = 'outside'
  database
    .query(
      "UPDATE sources SET excluded = ? WHERE target = ? AND assistant = ? AND source_key = ? AND excluded IS NOT 'forgotten'",
    )
    .run(exclusion, target, assistant, sourceKey)
}

/**
 * Histories not found since a time no longer exist on this machine. The service keeps what it has; the rest of
 * incomplete ones is lost.
 */
export function noteGone(database: SyncDatabase, target: string, since: number): void {
  database
    .query("DELETE FROM sources WHERE target = ? AND seen_at < ? AND excluded = 'unreadable' AND source_id IS NULL")
    .run(target, since)
  database
    .query(
      `UPDATE sources SET failure = '${GONE}', failed_stamp = stamp WHERE target = ? AND seen_at < ? AND excluded IS NULL AND done_stamp IS NOT stamp`,
    )
    .run(target, since)
}
