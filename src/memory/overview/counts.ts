import type { AppContext } from '../../account/context.ts'
import { createLru, type Lru } from '../../cache/lru.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../clock.ts'
import type { DayCount } from '../../store/statistics.ts'
import type { Memory } from '../authorize-memory.ts'
import { countContradictions } from '../records/lists/review-count.ts'
import { type ListedSource, toListed } from '../sources/list-sources.ts'

/** Records whose last save was on a day, by their present status. Days are counted since 1970, in UTC. */
type SavedOnDay = { day: number; unverified: number; verified: number; superseded: number }

/** The numbers of an overview that are counted from the records. */
type Counts = {
  stale: number
  contradictions: number
  /** Every day of the period, oldest first. */
  saved: SavedOnDay[]
  /** The authors with the most records in the period. */
  authors: { authorId: string; records: number }[]
  /** The sources with the most records. */
  sources: ListedSource[]
}

/** `countedAt` is in milliseconds since 1970; `isCurrent` is false if the numbers may have changed since. */
export type Counted = Counts & { countedAt: number; isCurrent: boolean }

type State = { version: number; minute: number; ticks: number }
type Kept = { counts: Counts; countedAt: number; state: State }
type Entry = { kept?: Kept; counting?: Promise<void> | undefined; failure?: unknown }

/**
 * Key: project, the viewer's audiences, and the days of the period. Of each the last numbers, the counting that is in
 * progress, and why the last counting failed. Numbers are current for one version of the project and one minute, since
 * records expire.
 */
export type OverviewCounts = Lru<string, Entry>

const MAX_ENTRIES = 200

export const createOverviewCounts = (): OverviewCounts => createLru({ maxEntries: MAX_ENTRIES })

/**
 * Counting more records than this takes 0.1 s and more: no page waits for it, and it is not repeated within `KEEP_MS`,
 * although open pages refresh after each save.
 */
export const MANY_RECORDS = 20_000
const KEEP_MS = 10 * SECOND_MS
/** Within this time the page is answered that begins a counting in the background. */
const COUNT_AFTER_MS = 100

type Counting = {
  /** The first day of the period. */
  fromDay: number
  days: number
  /** Number of authors and sources to list. */
  named: number
}

type Context = AppContext & { overviewCounts: OverviewCounts }

/** Counts the records that the reader of `memory` may see. */
export async function countNow(ctx: Context, memory: Memory, counting: Counting): Promise<Counted> {
  const entry = entryOf(ctx, memory, counting)
  const state = await readState(ctx, memory)
  if (entry.kept === undefined || !isSame(entry.kept.state, state))
    entry.kept = await count(ctx, memory, counting, state)
  return toCounted(entry.kept, state)
}

/**
 * The last numbers of `countNow`, or undefined if there are none, without waiting for a counting. Numbers that are
 * older than ten seconds, and no longer current, are counted anew in the background.
 *
 * @throws once, why the last counting in the background failed.
 */
export async function countMeanwhile(ctx: Context, memory: Memory, counting: Counting): Promise<Counted | undefined> {
  const entry = entryOf(ctx, memory, counting)
  const state = await readState(ctx, memory)
  const { failure, kept } = entry
  entry.failure = undefined
  if (failure !== undefined) throw failure
  if (kept === undefined || !holds(kept.state, state))
    entry.counting ??= countLater(entry, async () => count(ctx, memory, counting, await readState(ctx, memory)))
  return kept && toCounted(kept, state)
}

/** Counts once the page that asked for it is answered. */
async function countLater(entry: Entry, counting: () => Promise<Kept>): Promise<void> {
  try {
    await Bun.sleep(COUNT_AFTER_MS)
    entry.kept = await counting()
  } catch (error) {
    entry.failure = error
  }
  entry.counting = undefined
}

function entryOf({ overviewCounts }: Context, { projectId, visible }: Memory, { fromDay, days }: Counting): Entry {
  const key = `${projectId} ${visible?.join(' ')} ${fromDay} ${days}`
  const entry = overviewCounts.get(key) ?? {}
  overviewCounts.set(key, entry)
  return entry
}

async function readState({ clock }: Context, { records }: Memory): Promise<State> {
  return { version: await records.version(), minute: Math.floor(clock.now() / MINUTE_MS), ticks: clock.ticks() }
}

const isSame = (a: State, b: State) => a.version === b.version && a.minute === b.minute

const holds = (kept: State, present: State) => isSame(kept, present) || present.ticks - kept.ticks < KEEP_MS

const toCounted = ({ counts, countedAt, state }: Kept, present: State): Counted => ({
  ...counts,
  countedAt,
  isCurrent: isSame(state, present),
})

async function count(
  ctx: Context,
  { records, visible }: Memory,
  { fromDay, days, named }: Counting,
  state: State,
): Promise<Kept> {
  const now = ctx.clock.now()
  const byDay = await records.countByDay({ visible, savedFrom: fromDay * DAY_MS })
  const counts: Counts = {
    stale: await records.countStale(visible, now),
    contradictions: await countContradictions(records, visible),
    saved: toSaved(byDay, fromDay, days),
    authors: toAuthors(byDay, named),
    sources: await toListed(records, visible, await records.listLargestSources(visible, named), now),
  }
  return { counts, countedAt: now, state }
}

function toSaved(counts: DayCount[], fromDay: number, days: number): SavedOnDay[] {
  const saved = Array.from({ length: days }, (_, at) => ({
    day: fromDay + at,
    unverified: 0,
    verified: 0,
    superseded: 0,
  }))
  for (const { day, status, records } of counts) {
    const found = saved[day - fromDay]
    if (found !== undefined) found[status] += records
  }
  return saved
}

function toAuthors(counts: DayCount[], limit: number): Counts['authors'] {
  const byAuthor = new Map<string, number>()
  for (const { authorId, records } of counts) byAuthor.set(authorId, records + (byAuthor.get(authorId) ?? 0))
  const authors = [...byAuthor].map(([authorId, records]) => ({ authorId, records }))
  return authors.sort((a, b) => b.records - a.records).slice(0, limit)
}
