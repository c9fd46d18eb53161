import type { Connection } from './connection.ts'

/** Pages of the index that one step writes, which takes some 5 ms; more only where one posting list is longer. No other write runs meanwhile. */
export const PAGES_PER_STEP = 16
/** A step that had nothing to merge makes fewer changes, as FTS5 documents. */
const MIN_CHANGES_OF_STEP = 2

/**
 * Merging of the segments of an FTS5 index, to which every transaction adds one. FTS5's own `automerge` would do it inside whichever transaction
 * comes, for as long as it takes.
 */
export type Merging = {
  /** Rows that this connection has ever changed, those of the index included. */
  countChanges: () => number
  /** Merges some pages; only inside a transaction. False where there was nothing to merge. `all` begins to merge all segments into one. */
  step: (all?: 'all') => boolean
}

/** Merging in a project's file. */
export function createMerging(connection: Connection): Merging {
  const merge = connection.statement<unknown, [number]>("insert into word_index (word_index, rank) values ('merge', ?)")
  const changes = connection.statement<{ total: number }, []>('select total_changes() as total')
  const countChanges = () => changes.get()?.total ?? 0
  return {
    countChanges,
    step: (all) => {
      const before = countChanges()
      // To FTS5 a negative number says that all segments are to become one; later steps, with a positive one, continue it.
      merge.run(all === undefined ? PAGES_PER_STEP : -PAGES_PER_STEP)
      return countChanges() - before >= MIN_CHANGES_OF_STEP
    },
  }
}
