import type { Database } from 'bun:sqlite'
import { toJson } from '../../../transcripts/format.ts'
import { toOmitted } from '../../../transcripts/omitted.ts'
import { createLongLine, LONG_LINE_BYTES, reduceLine } from '../../../transcripts/reduce.ts'
import { MAX_PIECE_LINES, type Piece, type ReadHistory, type Rewritten } from '../source.ts'
import {
  countCreated,
  isAfter,
  listRows,
  type Row,
  type RowPosition,
  readRow,
  splitSessionFile,
  withDatabase,
} from './database.ts'

/**
 * How far a session was read: the last row, the number of rows created up to its time, and the number of bytes of lines
 * produced.
 */
type Position = { at: number; created: number; last: RowPosition }

/**
 * Reads a session of opencode as one line per row, in the order of their last modification. A row that changes later
 * yields a further line. If a row was created after the cursor but carries an earlier time (the clock was set back),
 * the history counts as rewritten; a row that was modified then is read at its next change. Rows that opencode deletes
 * remain in the lines already read.
 */
export const readSession: ReadHistory = (source, cursor, maxBytes, { now = Date.now() } = {}) => {
  const { database: file, sessionId } = splitSessionFile(source.file)
  const read = cursor === null ? undefined : (JSON.parse(cursor) as Position)
  return withDatabase(file, (database) => readPieces(database, sessionId, read, { maxBytes, now }))
}

async function* readPieces(
  database: Database,
  sessionId: string,
  read: Position | undefined,
  { maxBytes, now }: { maxBytes: number; now: number },
): AsyncGenerator<Piece | Rewritten> {
  const { all, settled } = listRows(database, sessionId, now)
  if (read !== undefined && countCreated(all, read.last.time_updated) > read.created) {
    yield 'rewritten'
    return
  }
  let lines: string[] = []
  let bytes = 0
  let rawStart = read?.at ?? 0

  function endPiece({ time_updated, type, id }: Row): Piece {
    const rawEnd = rawStart + bytes
    const position: Position = {
      at: rawEnd,
      created: countCreated(all, time_updated),
      last: { time_updated, type, id },
    }
    const piece = { lines, rawStart, rawEnd, cursor: JSON.stringify(position) }
    lines = []
    bytes = 0
    rawStart = rawEnd
    return piece
  }

  let previous: Row | undefined
  for (const row of settled) {
    if (read !== undefined && !isAfter(row, read.last)) continue
    const line = toText(database, row)
    if (line === undefined) continue
    const length = Buffer.byteLength(line) + 1
    const isFull = bytes + length > maxBytes || lines.length === MAX_PIECE_LINES
    if (previous !== undefined && lines.length > 0 && isFull) yield endPiece(previous)
    lines.push(line)
    bytes += length
    previous = row
  }
  if (previous !== undefined && lines.length > 0) yield endPiece(previous)
}

/**
 * A row that has changed since it was listed is skipped: it now comes later in the order, and is read the next time.
 */
function toText(database: Database, row: Row): string | undefined {
  const line = readRow(database, row)
  if (line === undefined) return undefined
  const text = toJson(line) ?? JSON.stringify({ ...line, data: toOmitted(row.bytes, 'too_large') })
  if (Buffer.byteLength(text) <= LONG_LINE_BYTES) return reduceLine('opencode', text)
  const long = createLongLine('opencode')
  long.push(Buffer.from(text))
  return long.finish()
}
