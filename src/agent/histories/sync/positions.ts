import type { SyncDatabase } from './database.ts'

/** How much of a history was sent and confirmed, and where to continue reading. */
export type Position = {
  rawEnd: number
  /** Chained digest of all segments that the service has received of it. */
  chain: string
  /** Null at the beginning. */
  cursor: string | null
}

/** The digest before the first segment. */
export const FIRST_CHAIN = '0'.repeat(64)

export function readPosition(database: SyncDatabase, id: number): Position {
  const row = database
    .query<Position, [number]>('SELECT raw_end AS rawEnd, chain, cursor FROM sources WHERE id = ?')
    .get(id)
  return row ?? { rawEnd: 0, chain: FIRST_CHAIN, cursor: null }
}

/**
 * What the service has after a segment: the number of lines; and how many credentials were removed from the segment, by
 * rule.
 */
type Committed = { lines: number; redacted: Record<string, number> }

/**
 * Advances after the service has confirmed a segment. Returns false, without a change, if another process has moved the
 * position.
 */
export function commitSegment(
  database: SyncDatabase,
  id: number,
  from: Position,
  to: Position,
  { lines, redacted }: Committed,
): boolean {
  return database
    .transaction(() => {
      const { changes } = database
        .query('UPDATE sources SET raw_end = ?, chain = ?, cursor = ?, lines = ? WHERE id = ? AND chain = ?')
        .run(to.rawEnd, to.chain, to.cursor, lines, id, from.chain)
      if (changes === 0) return false
      const count = database.query(
        'INSERT INTO redactions (source, rule, count) VALUES (?, ?, ?) ON CONFLICT (source, rule) DO UPDATE SET count = count + excluded.count',
      )
      for (const [rule, times] of Object.entries(redacted)) count.run(id, rule, times)
      return true
    })
    .immediate()
}

/** Restarts a history for a service that has received this. It recognizes the lines that it has. */
export function beginAnew(database: SyncDatabase, id: number, chain: string): void {
  database.transaction(() => {
    database
      .query('UPDATE sources SET raw_end = 0, chain = ?, cursor = NULL, done_stamp = NULL WHERE id = ?')
      .run(chain, id)
    database.query('DELETE FROM redactions WHERE source = ?').run(id)
  })()
}
