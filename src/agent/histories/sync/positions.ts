import type { SyncDatabase } from './database.ts'
import type { Head } from './wire.ts'

/** How far a history was sent and confirmed, and where to continue reading. */
export type Position = Head & {
  /** Null at the beginning. */
  cursor: string | null
}

/** The digest before the first segment. */
export const FIRST_CHAIN = '0'.repeat(64)

const beginOf = (generation: number): Position => ({ generation, rawEnd: 0, chain: FIRST_CHAIN, cursor: null })

export function readPosition(database: SyncDatabase, id: number): Position {
  const row = database.query<Position, [number]>('SELECT generation, raw_end AS rawEnd, chain, cursor FROM sources WHERE id = ?').get(id)
  return row ?? beginOf(1)
}

/** Records, before a segment is sent, the position after it, in case the answer is lost. */
export function noteSegment(database: SyncDatabase, id: number, { generation, rawEnd, chain, cursor }: Position): void {
  database
    .query('INSERT OR REPLACE INTO segments (source, generation, raw_end, chain, cursor) VALUES (?, ?, ?, ?, ?)')
    .run(id, generation, rawEnd, chain, cursor)
}

/** What the service has after a segment: the number of lines; and how many credentials were removed from the segment, by rule. */
export type Committed = { lines: number; redacted: Record<string, number> }

/** Advances after the service has confirmed a segment. Returns false, without a change, if another process has moved the position. */
export function commitSegment(database: SyncDatabase, id: number, from: Position, to: Position, { lines, redacted }: Committed): boolean {
  return database
    .transaction(() => {
      const { changes } = database
        .query(
          'UPDATE sources SET raw_end = ?, chain = ?, cursor = ?, lines = ? WHERE id = ? AND generation = ? AND raw_end = ? AND chain = ?',
        )
        .run(to.rawEnd, to.chain, to.cursor, lines, id, from.generation, from.rawEnd, from.chain)
      if (changes === 0) return false
      if (from.rawEnd === 0) database.query('DELETE FROM segments WHERE source = ? AND generation < ?').run(id, to.generation)
      const count = database.query(
        'INSERT INTO redactions (source, rule, count) VALUES (?, ?, ?) ON CONFLICT (source, rule) DO UPDATE SET count = count + excluded.count',
      )
      for (const [rule, times] of Object.entries(redacted)) count.run(id, rule, times)
      return true
    })
    .immediate()
}

/** Restarts a history as another generation, since the file no longer contains what was sent. */
export function beginGeneration(database: SyncDatabase, id: number, generation: number): void {
  moveTo(database, id, beginOf(generation))
  database.query('DELETE FROM redactions WHERE source = ?').run(id)
}

/**
 * Adopts the service's head. If it is the position after a segment sent from here, also one whose answer was lost, reading continues there; otherwise the
 * history starts again as the next generation, and the service recognizes the records it has.
 */
export function settle(database: SyncDatabase, id: number, head: Head): void {
  const { generation, rawEnd } = head
  const known = rawEnd === 0 ? beginOf(generation) : findSegment(database, id, head)
  if (known === null || known.rawEnd === 0) beginGeneration(database, id, known?.generation ?? generation + 1)
  else moveTo(database, id, known)
}

function findSegment(database: SyncDatabase, id: number, { generation, rawEnd, chain }: Head): Position | null {
  return database
    .query<Position, [number, number, number, string]>(
      'SELECT generation, raw_end AS rawEnd, chain, cursor FROM segments WHERE source = ? AND generation = ? AND raw_end = ? AND chain = ?',
    )
    .get(id, generation, rawEnd, chain)
}

function moveTo(database: SyncDatabase, id: number, { generation, rawEnd, chain, cursor }: Position): void {
  database
    .query('UPDATE sources SET generation = ?, raw_end = ?, chain = ?, cursor = ?, done_stamp = NULL WHERE id = ?')
    .run(generation, rawEnd, chain, cursor, id)
}
