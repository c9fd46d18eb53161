import type { Connection } from './connection.ts'

/** Maximum number of index pages that one step writes, except for a longer posting list. No other write runs meanwhile. */
const MAX_PAGES_PER_STEP = 16
const FIRST_PAGES_PER_STEP = 4
/**
 * Target duration of a step. 16 pages take about 2.5 ms, but up to 20 ms if they come from a segment with deleted records: each entry is looked up among the
 * deleted ones, whose consecutive rows form long chains in FTS5's hash table.
 */
const STEP_MS = 5
/** A step that found nothing to merge makes fewer changes, as documented by FTS5. */
const MIN_CHANGES_OF_STEP = 2

/**
 * Merges the segments of an FTS5 index, to which every transaction adds one. FTS5's own `automerge` would do that inside an arbitrary transaction, for as
 * long as it takes.
 */
export type Merging = {
  /** Number of rows that this connection has ever changed, including those of the index. */
  countChanges: () => number
  /**
   * Merges some pages; only inside a transaction. Returns the number of pages requested; 0 if there was nothing to merge. `all` starts to merge all segments
   * into one.
   */
  step: (all?: 'all') => number
}

/** Merges in steps of similar duration: each has half or twice as many pages as the previous one if that took too long or too little. */
export function createMerging(connection: Connection, ticks: () => number): Merging {
  const merge = connection.statement<unknown, [number]>("insert into word_index (word_index, rank) values ('merge', ?)")
  const changes = connection.statement<{ total: number }, []>('select total_changes() as total')
  const countChanges = () => changes.get()?.total ?? 0
  let pages = FIRST_PAGES_PER_STEP
  return {
    countChanges,
    step: (all) => {
      const before = { changes: countChanges(), ticks: ticks(), pages }
      // For FTS5, a negative number means that all segments are to become one; later steps, with a positive number, continue that.
      merge.run(all === undefined ? pages : -pages)
      const tookMs = ticks() - before.ticks
      if (tookMs > STEP_MS) pages = Math.max(1, pages / 2)
      else if (tookMs < STEP_MS / 2) pages = Math.min(MAX_PAGES_PER_STEP, pages * 2)
      return countChanges() - before.changes >= MIN_CHANGES_OF_STEP ? before.pages : 0
    },
  }
}
