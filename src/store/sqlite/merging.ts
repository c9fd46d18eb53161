import type { Connection } from './connection.ts'

/**
 * Maximum number of index pages that one step writes, except for a longer posting list. No other write runs meanwhile.
 */
const MAX_PAGES_PER_STEP = 16
const FIRST_PAGES_PER_STEP = 4
/**
 * Target duration of a step. 16 pages take about 2.5 ms, but up to 20 ms if they come from a segment with deleted
 * records: each entry is looked up among the deleted ones, whose consecutive rows form long chains in FTS5's hash
 * table.
 */
const STEP_MS = 5
/** A step that found nothing to merge makes fewer changes, as documented by FTS5. */
const MIN_CHANGES_OF_STEP = 2

/**
 * Segments are merged once this many transactions have added one. Merging after each made a save of one caller wait for
 * a second commit, and wrote a quarter more pages; FTS5 would merge by itself, inside a save, at 16.
 */
const MERGED_SEGMENTS = 8
/**
 * Maximum number of pages merged for each row changed in the index: each page is merged once per level of segments, and
 * a large index has about five levels.
 */
const MERGED_PAGES_PER_CHANGE = 8
/** With more pages than this to merge, merging takes precedence over acts; a burst of saves may leave this many. */
const MAX_DEBT_PAGES = 512

/**
 * Merges the segments of an FTS5 index, to which every transaction adds one. FTS5's own `automerge` would do that
 * inside an arbitrary transaction, for as long as it takes.
 */
export type Merging = {
  /** Runs changes of the index that make one segment, and counts them. Only inside a transaction. */
  addSegment: (change: () => void) => void
  isDue: () => boolean
  /** Whether acts have to wait for merging. */
  isUrgent: () => boolean
  /**
   * Merges some pages; only inside a transaction. Returns the number of pages requested; 0 if there was nothing to
   * merge. `all` starts to merge all segments into one.
   */
  step: (all?: 'all') => number
  /** Leaves the merging to later segments. */
  postpone: () => void
}

/**
 * Merges in steps of similar duration: each has half or twice as many pages as the previous one if that took too long
 * or too little.
 */
export function createMerging(connection: Connection, ticks: () => number): Merging {
  const merge = connection.statement<unknown, [number]>("insert into word_index (word_index, rank) values ('merge', ?)")
  const changes = connection.statement<{ total: number }, []>('select total_changes() as total')
  let pages = FIRST_PAGES_PER_STEP
  /** Segments added since the last ones were merged, and an upper bound of the pages to merge. */
  let segments = 0
  let debt = 0

  /** Number of rows, including those of the index, that this change wrote. */
  function countChanges(change: () => void): number {
    const before = changes.get()?.total ?? 0
    change()
    return (changes.get()?.total ?? 0) - before
  }

  function adaptPages(tookMs: number): void {
    if (tookMs > STEP_MS) pages = Math.max(1, pages / 2)
    else if (tookMs < STEP_MS / 2) pages = Math.min(MAX_PAGES_PER_STEP, pages * 2)
  }

  function postpone(): void {
    segments = 0
    debt = 0
  }

  function settle(mergedPages: number): number {
    debt -= mergedPages
    if (mergedPages === 0 || debt <= 0) postpone()
    return mergedPages
  }

  return {
    addSegment: (change) => {
      debt += countChanges(change) * MERGED_PAGES_PER_CHANGE
      segments += 1
    },
    isDue: () => segments >= MERGED_SEGMENTS,
    isUrgent: () => segments >= MERGED_SEGMENTS && debt >= MAX_DEBT_PAGES,
    step: (all) => {
      const asked = pages
      const startedAt = ticks()
      // For FTS5, a negative number means that all segments are to become one; later steps, with a positive number,
      // continue that.
      const changed = countChanges(() => void merge.run(all === undefined ? asked : -asked))
      adaptPages(ticks() - startedAt)
      return settle(changed >= MIN_CHANGES_OF_STEP ? asked : 0)
    },
    postpone,
  }
}
