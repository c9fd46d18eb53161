import type { Database } from 'bun:sqlite'
import { yieldIfDue } from '../../../cooperative.ts'
import { createLongLine, MAX_PARSED_BYTES, reduceLine } from '../../../transcripts/reduce.ts'
import type { Piece, ReadHistory, Rewritten } from '../source.ts'
import { splitSessionFile, withDatabase } from './database.ts'
import { isAfter, listRows, type Row, type RowPosition, readRow } from './rows.ts'

/** How far a session has been read: the last row, how many rows there were up to it, and how many bytes of lines have been made. */
type Position = { at: number; rows: number; last: RowPosition }

/**
 * Reads a session of opencode as lines, one for each row, in the order in which they were last written. A row that changes later is read again, as a further line. Where a row has
 * appeared among those that were read before (the clock was set back), the history is rewritten. What opencode deletes stays in the lines that were read.
 */
export const readSession: ReadHistory = (source, cursor, maxBytes, { now = Date.now() } = {}) => {
  const { database: file, sessionId } = splitSessionFile(source.file)
  const read = cursor === null ? undefined : (JSON.parse(cursor) as Position)
  return withDatabase(file, (database) => readPieces(database, listRows(database, sessionId, now), read, maxBytes))
}

async function* readPieces(
  database: Database,
  rows: Row[],
  read: Position | undefined,
  maxBytes: number,
): AsyncGenerator<Piece | Rewritten> {
  const before = read === undefined ? 0 : rows.findLastIndex((row) => !isAfter(row, read.last)) + 1
  if (read !== undefined && before > read.rows) {
    yield 'rewritten'
    return
  }
  let lines: string[] = []
  let bytes = 0
  let rawStart = read?.at ?? 0

  function endPiece(last: Row, count: number): Piece {
    const rawEnd = rawStart + bytes
    const position: Position = { at: rawEnd, rows: count, last: { time_updated: last.time_updated, type: last.type, id: last.id } }
    const piece = { lines, rawStart, rawEnd, cursor: JSON.stringify(position) }
    lines = []
    bytes = 0
    rawStart = rawEnd
    return piece
  }

  for (const [at, row] of rows.entries()) {
    if (at < before) continue
    await yieldIfDue()
    const line = toText(database, row)
    if (line === undefined) continue
    const length = Buffer.byteLength(line) + 1
    const previous = rows[at - 1]
    if (previous !== undefined && lines.length > 0 && bytes + length > maxBytes) yield endPiece(previous, at)
    lines.push(line)
    bytes += length
  }
  const last = rows.at(-1)
  if (last !== undefined && lines.length > 0) yield endPiece(last, rows.length)
}

/** A row that has changed since it was listed is left out: it stands further back now, and is read there the next time. */
function toText(database: Database, row: Row): string | undefined {
  const line = readRow(database, row)
  if (line === undefined) return undefined
  const text = JSON.stringify(line)
  if (Buffer.byteLength(text) <= MAX_PARSED_BYTES) return reduceLine('opencode', text)
  const long = createLongLine('opencode')
  long.push(Buffer.from(text))
  return long.finish()
}
