import type { AuditPlace } from '../../store/audit.ts'
import type { EntityReads, Filter } from '../../store/control.ts'

/**
 * Rows that were read together, in order of time, newest first: those that pass, the number of all, and the place of
 * the last one.
 */
type Batch<Row> = { passed: Row[]; examined: number; last: AuditPlace | undefined }

/**
 * A page of rows, newest first. `older` is where the next one begins; `isCut`: the page ends because enough were
 * examined, not because it is full.
 */
export type MatchingPage<Row> = { rows: Row[]; older: AuditPlace | undefined; isCut: boolean }

/** Which rows: at most `limit`, before a place. */
export type Part = { before?: AuditPlace | undefined; limit: number }

/** Rows read at a time where not all of them pass. */
export const BATCH_ROWS = 250
/** Rows looked through for one page. */
const MAX_EXAMINED = 5_000

/** Reads all rows in batches of `size`, newest first. */
export async function* readBatches<Row extends AuditPlace>(
  read: (part: Part) => Promise<Row[]>,
  isPassed: (row: Row) => boolean,
  { before: first, size }: { before?: AuditPlace | undefined; size: number },
): AsyncGenerator<Batch<Row>> {
  for (let before = first; ; ) {
    const found = await read({ before, limit: size })
    yield { passed: found.filter(isPassed), examined: found.length, last: found.at(-1) }
    if (found.length < size) return
    before = found.at(-1)
  }
}

/** The first rows that pass; at most 5 000 are examined. */
export async function takePage<Row extends AuditPlace>(
  batches: AsyncIterable<Batch<Row>>,
  limit: number,
): Promise<MatchingPage<Row>> {
  const rows: Row[] = []
  let examined = 0
  for await (const batch of batches) {
    rows.push(...batch.passed)
    examined += batch.examined
    if (rows.length > limit) return { rows: rows.slice(0, limit), older: rows[limit - 1], isCut: false }
    if (examined >= MAX_EXAMINED) return { rows, older: batch.last, isCut: true }
  }
  return { rows, older: undefined, isCut: false }
}

/** Rows that are counted, by an index alone: about 7 ms. */
const MAX_COUNTED = 200_000

/** How many rows meet an indexed condition; undefined above 200 000, where counting stops. */
export async function countRows<Name extends 'audit' | 'callErrors'>(
  control: Pick<EntityReads, 'list' | 'count'>,
  name: Name,
  filter: Filter<Name>,
): Promise<number | undefined> {
  const beyond = await control.list(name, filter, { offset: MAX_COUNTED, limit: 1 })
  return beyond.length > 0 ? undefined : control.count(name, filter)
}
