import type { Source, StoredRecord, Visible } from './record.ts'
import type { RecordFilter } from './record-lists.ts'

/** Number of records with the same day of their last save, author and status. */
export type DayCount = {
  /** Days since 1970, in UTC. */
  day: number
  status: StoredRecord['status']
  authorId: string
  records: number
}

/** A source, and how many records it has that are visible and not forgotten: at least one. */
export type SourceCount = Source & { records: number }

/**
 * A source with the number of its stale records, the hash most recently saved for it by a visible save, and when one of
 * its records was last saved.
 */
export type SourceSummary = SourceCount & { stale: number; hash: string | undefined; savedAt: number }

/**
 * A page of sources of these workspaces, with `text` in their names (ASCII letters in any case) if it is given; those
 * of the first workspace only after the source `after`. With `text`, the names of all of their sources are read.
 */
export type SourcePage = {
  visible: Visible
  workspaceIds: number[]
  text?: string | undefined
  after?: string | undefined
  limit: number
}

/**
 * Counts of records that are not forgotten. All but the first take time linear in the number of records, and yield to
 * other work.
 */
export type StatisticsReads = {
  /**
   * How many visible records the workspaces that are not removed have, or one of them: in time linear in the number of
   * workspaces.
   */
  countRecords: (visible: Visible, workspaceId?: number) => Promise<number>
  /** Those that pass a filter, in no particular order. */
  countByDay: (filter: RecordFilter) => Promise<DayCount[]>
  /** How many visible records, also of removed workspaces, are verified or superseded, by an index of these. */
  countSettled: (visible: Visible) => Promise<number>
  /** How many visible records of workspaces that are not removed are stale at the time `now`. */
  countStale: (visible: Visible, now: number) => Promise<number>
  /** In the order of `workspaceIds`, then by name, without sources of removed workspaces. */
  listSources: (page: SourcePage) => Promise<SourceCount[]>
  /**
   * At most `limit` sources of workspaces that are not removed, those with the most records first, then by their names
   * and the names of their workspaces; and how many there are.
   */
  listLargestSources: (visible: Visible, limit: number) => Promise<{ sources: SourceCount[]; count: number }>
  /** Each of these sources that has a visible record, in their order. */
  summarizeSources: (visible: Visible, sources: Source[], now: number) => Promise<SourceSummary[]>
}
