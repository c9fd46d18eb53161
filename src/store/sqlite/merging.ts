import type { Database } from 'bun:sqlite'

/** Pages of the index that one step writes, some 5 ms; more only where the list of one word is longer. Nobody else is served meanwhile. */
export const MERGED_PAGES = 16
/** A step that had nothing to merge makes fewer changes, as FTS5 documents. */
const NOTHING_LEFT = 2

/** Merging of the pieces that an index grows by: every transaction adds one. FTS5 would do it within a transaction that happens to come, for as long as it takes. */
export type Merging = {
  /** Rows that this connection has ever changed, those of the index among them. */
  countChanges: () => number
  /** Merges some pages; only inside a transaction. False where there was nothing to merge. `all` begins to make all pieces one. */
  step: (all?: 'all') => boolean
}

/** Merging in a project's file. */
export function createMerging(connection: Database): Merging {
  const merge = connection.prepare<unknown, [number]>("insert into word_index (word_index, rank) values ('merge', ?)")
  const changes = connection.prepare<{ total: number }, []>('select total_changes() as total')
  const countChanges = () => changes.get()?.total ?? 0
  return {
    countChanges,
    step: (all) => {
      const before = countChanges()
      // A step below nothing says that all pieces are to become one; the others go on with it.
      merge.run(all === undefined ? MERGED_PAGES : -MERGED_PAGES)
      return countChanges() - before >= NOTHING_LEFT
    },
  }
}
