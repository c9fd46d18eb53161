import { Database } from 'bun:sqlite'
import { lstat } from 'node:fs/promises'
import { tryParseJson } from '../../../jsonrpc.ts'
import { type TranscriptLine, toObject } from '../../../transcripts/format.ts'
import { toOmitted } from '../../../transcripts/omitted.ts'
import { isOwnFile } from '../readers/history-file.ts'

/** Separates the path of a database from the id of a session in it. */
const SEPARATOR = '#'

/** The file name that represents a session in a database. */
export function toSessionFile(database: string, sessionId: string): string {
  return `${database}${SEPARATOR}${sessionId}`
}

export function splitSessionFile(file: string): { database: string; sessionId: string } {
  const at = file.lastIndexOf(SEPARATOR)
  return { database: file.slice(0, at), sessionId: file.slice(at + 1) }
}

/**
 * Runs `run` with a database of opencode, opened read-only, since opencode may be using it, and closes it.
 *
 * @throws Error with the code `ENOENT` if there is none, and `EIO` with SQLite's message if it cannot be read.
 */
export async function* withDatabase<Item>(
  file: string,
  run: (database: Database) => AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  const stats = await lstat(file)
  if (!isOwnFile(stats)) throw Object.assign(new Error('not a regular file of this person'), { code: 'EINVAL' })
  let database: Database | undefined
  try {
    database = new Database(file, { readonly: true })
    yield* run(database)
  } catch (error) {
    throw Object.assign(new Error(`the database of opencode cannot be read: ${(error as Error).message}`), {
      code: 'EIO',
    })
  } finally {
    database?.close()
  }
}

/** A row of a session: the session itself, a message, or a part of one. Times are milliseconds since 1970. */
export type Row = {
  type: 'session' | 'message' | 'part'
  id: string
  time_created: number
  time_updated: number
  bytes: number
}

/** A row's position in the order of last modification. */
export type RowPosition = Pick<Row, 'time_updated' | 'type' | 'id'>

/** Maximum number of rows of a session that are read. */
const MAX_ROWS = 500_000

/**
 * Rows are written slightly after the time they carry: younger ones are left for later, so that none is inserted before
 * one that was read.
 */
const WRITING_MS = 2_000

/**
 * A row that is written incrementally (an answer, a running tool) is left for later, unless it has not changed for this
 * long.
 */
const STALE_MS = 10 * 60_000

/** Larger rows are not read. */
const MAX_ROW_BYTES = 8 * 2 ** 20

const LIST = `
  SELECT 'session' AS type, id, time_created, time_updated, 0 AS bytes FROM session WHERE id = $session
  UNION ALL SELECT 'message', id, time_created, time_updated, octet_length(data) FROM message WHERE session_id = $session
  UNION ALL SELECT 'part', id, time_created, time_updated, octet_length(data) FROM part WHERE session_id = $session
  ORDER BY time_updated, type, id LIMIT ${MAX_ROWS}`

const READ = {
  session: 'SELECT * FROM session WHERE id = ?',
  message: 'SELECT id, session_id, time_created, time_updated, data FROM message WHERE id = ?',
  part: `SELECT part.id, message_id, part.session_id, part.time_created, part.time_updated, part.data, message.data AS message_data
    FROM part LEFT JOIN message ON message.id = message_id WHERE part.id = ?`,
}

/**
 * The rows of a session in the order of last modification; `settled` are those before the first that is still being
 * written. Takes time linear in their number, not in their size.
 */
export function listRows(database: Database, sessionId: string, now: number): { all: Row[]; settled: Row[] } {
  const all = database.query<Row, { $session: string }>(LIST).all({ $session: sessionId })
  const open = all.findIndex((row) => !isSettled(database, row, now))
  return { all, settled: open < 0 ? all : all.slice(0, open) }
}

/** Number of rows created until a time. Modified rows still count, deleted ones do not. */
export function countCreated(rows: Row[], until: number): number {
  return rows.reduce((count, { time_created }) => (time_created <= until ? count + 1 : count), 0)
}

function isSettled(database: Database, row: Row, now: number): boolean {
  const age = now - row.time_updated
  if (age < WRITING_MS) return false
  return age > STALE_MS || row.type === 'session' || row.bytes > MAX_ROW_BYTES || isFinished(readRow(database, row))
}

function isFinished(line: TranscriptLine | undefined): boolean {
  const { time, state } = toObject(line?.data)
  const { start, end, created, completed } = toObject(time)
  const { status } = toObject(state)
  if (status === 'pending' || status === 'running') return false
  const isAnswer = toObject(line?.data).role === 'assistant'
  return (start === undefined || end !== undefined) && (!isAnswer || created === undefined || completed !== undefined)
}

/** Whether a row follows another one in the order of `listRows`. */
export function isAfter(row: RowPosition, other: RowPosition): boolean {
  if (row.time_updated !== other.time_updated) return row.time_updated > other.time_updated
  return row.type === other.type ? row.id > other.id : row.type > other.type
}

/** The row as a line of a history; undefined if it was deleted or changed since it was listed. */
export function readRow(database: Database, { type, id, time_updated, bytes }: Row): TranscriptLine | undefined {
  if (bytes > MAX_ROW_BYTES) return { type, id, time_updated, data: toOmitted(bytes, 'too_large') }
  const row = database.query<TranscriptLine, [string]>(READ[type]).get(id)
  if (row === null || row.time_updated !== time_updated) return undefined
  if (type === 'session') return { type, id, time_created: row.time_created, time_updated, data: row }
  const { message_data, ...line } = row
  const role = toObject(parse(message_data)).role
  return { type, ...line, ...(role !== undefined && { role }), data: parse(line.data) }
}

/** Parses a JSON text; returns any other value unchanged. */
function parse(text: unknown): unknown {
  return tryParseJson(String(text)) ?? text
}
