import type { AppContext } from '../../account/context.ts'
import { createLru, type Lru } from '../../cache/lru.ts'
import { MINUTE_MS, SECOND_MS } from '../../clock.ts'
import type { DayCount } from '../../store/statistics.ts'
import type { Memory } from '../authorize-memory.ts'
import { countRecords } from '../records/lists/count-records.ts'
import { countContradictions } from '../records/lists/review-count.ts'
import { type ListedSource, toListed } from '../sources/list-sources.ts'

/** The numbers of an overview that are counted from the records. */
export type Counts = {
  records: number
  stale: number
  contradictions: number
  /** Records saved since a time, by day. */
  byDay: DayCount[]
  /** The sources with the most records. */
  sources: ListedSource[]
}

type Counted = { counts: Counts; version: number; minute: number; countedAt: number }

/**
 * Key: project, the viewer's audiences, and the beginning of the period. An entry is valid for one version of the project and one minute, since records expire;
 * for a project with many records also for ten seconds, whatever its version.
 */
export type OverviewCounts = Lru<string, Counted>

const MAX_ENTRIES = 200

export const createOverviewCounts = (): OverviewCounts => createLru({ maxEntries: MAX_ENTRIES })

/** Counting more records than this takes 0.1 s and more, so it is not repeated within this time, although open pages refresh after each save. */
const MANY_RECORDS = 20_000
const KEEP_MS = 10 * SECOND_MS

type Counting = {
  /** Beginning of the period of `byDay`, in milliseconds since 1970. */
  savedFrom: number
  /** Number of sources to list. */
  sources: number
}

type Context = AppContext & { overviewCounts: OverviewCounts }

/** Counts the records that the reader of `memory` may see; with more than 20 000 records, the result may be up to ten seconds old. */
export async function countForOverview(ctx: Context, memory: Memory, counting: Counting): Promise<Counts> {
  const { projectId, records, visible } = memory
  const key = `${projectId} ${visible?.join(' ')} ${counting.savedFrom}`
  const now = ctx.clock.now()
  const state = { version: await records.version(), minute: Math.floor(now / MINUTE_MS), countedAt: ctx.clock.ticks() }
  const known = ctx.overviewCounts.get(key)
  if (known !== undefined && holds(known, state)) return known.counts
  const counts = await count(ctx, memory, counting, now)
  ctx.overviewCounts.set(key, { counts, ...state })
  return counts
}

function holds({ counts, version, minute, countedAt }: Counted, state: Omit<Counted, 'counts'>): boolean {
  if (version === state.version && minute === state.minute) return true
  return counts.records > MANY_RECORDS && state.countedAt - countedAt < KEEP_MS
}

async function count(ctx: Context, memory: Memory, { savedFrom, sources }: Counting, now: number): Promise<Counts> {
  const { account, projectId, records, visible } = memory
  const largest = await records.listLargestSources(visible, sources)
  return {
    records: (await countRecords(ctx, { accountId: account.id, projectId, visible }, {}))?.count ?? 0,
    stale: await records.countStale(visible, now),
    contradictions: await countContradictions(records, visible),
    byDay: await records.countByDay({ visible, savedFrom }),
    sources: await toListed(records, visible, largest, now),
  }
}
