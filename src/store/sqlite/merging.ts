import type { Connection } from './connection.ts'

/** Pages of the index that one step writes at most; more only where one posting list is longer. No other write runs meanwhile. */
const MAX_PAGES_PER_STEP = 16
const FIRST_PAGES_PER_STEP = 4
/**
 * The time that a step aims at. 16 pages take about 2.5 ms, and up to 20 where they are written from a segment of which records were deleted: each entry that is
 * read is looked up among the deleted ones, whose rows in a row make long chains in FTS5's hash table.
 */
const STEP_MS = 5
/** A step that had nothing to merge makes fewer changes, as FTS5 documents. */
const MIN_CHANGES_OF_STEP = 2

/**
 * Merging of the segments of an FTS5 index, to which every transaction adds one. FTS5's own `automerge` would do it inside whichever transaction
 * comes, for as long as it takes.
 */
export type Merging = {
  /** Rows that this connection has ever changed, those of the index included. */
  countChanges: () => number
  /** Merges some pages; only inside a transaction. Returns how many it was to write; 0 if there was nothing to merge. `all` begins to merge all segments into one. */
  step: (all?: 'all') => number
}

/** Merging in a project's file, in steps of about the same time: each has half or twice the pages of the one before where that took too long or little. */
export function createMerging(connection: Connection, ticks: () => number): Merging {
  const merge = connection.statement<unknown, [number]>("insert into word_index (word_index, rank) values ('merge', ?)")
  const changes = connection.statement<{ total: number }, []>('select total_changes() as total')
  const countChanges = () => changes.get()?.total ?? 0
  let pages = FIRST_PAGES_PER_STEP
  return {
    countChanges,
    step: (all) => {
      const before = { changes: countChanges(), ticks: ticks(), pages }
      // To FTS5 a negative number says that all segments are to become one; later steps, with a positive one, continue it.
      merge.run(all === undefined ? pages : -pages)
      const tookMs = ticks() - before.ticks
      if (tookMs > STEP_MS) pages = Math.max(1, pages / 2)
      else if (tookMs < STEP_MS / 2) pages = Math.min(MAX_PAGES_PER_STEP, pages * 2)
      return countChanges() - before.changes >= MIN_CHANGES_OF_STEP ? before.pages : 0
    },
  }
}
