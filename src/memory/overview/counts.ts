import type { AppContext } from '../../account/context.ts'
import { type CallsOnDay, countCallsByDay } from '../../account/usage/count-calls.ts'
import { DAY_MS } from '../../clock.ts'
import type { DayCount } from '../../store/statistics.ts'
import { findConflicts } from '../records/lists/review.ts'
import { type ListedSource, toListed } from '../sources/list-sources.ts'
import type { Memory } from '../visibility.ts'
import type { Counted, KeptCounts } from './kept-counts.ts'

/** Records whose last save was on a day, by their present status. Days are counted since 1970, in UTC. */
type SavedOnDay = { day: number; unverified: number; verified: number; superseded: number }

/** The numbers of an overview that take long to count. */
type Counts = {
  stale: number
  contradictions: number
  /** Every day of the period, oldest first. */
  saved: SavedOnDay[]
  /** Records whose last save was in the period of the same length before. */
  savedBefore: number
  /** The authors with the most records in the period, and how many there are. */
  authors: { authorId: string; records: number }[]
  authorCount: number
  /** The sources with the most records, and how many there are. */
  sources: ListedSource[]
  sourceCount: number
  calls: CallsOnDay[]
  /** Number of calls in the period of the same length before. */
  callsBefore: number
}

export type OverviewCounts = KeptCounts<Counts>
export type CountedOverview = Counted<Counts>

/** Which days are counted, whose calls (all if undefined), and how many authors and sources are named. */
type Counting = { fromDay: number; days: number; memberId: string | undefined; named: number }

export async function countOverview(
  ctx: AppContext,
  { projectId, records, visible }: Memory,
  { fromDay, days, memberId, named }: Counting,
): Promise<Counts> {
  const now = ctx.clock.now()
  const all = await records.countByDay({ visible, savedFrom: (fromDay - days) * DAY_MS })
  const byDay = all.filter(({ day }) => day >= fromDay)
  const ofKeys = { projectIds: [projectId], memberId }
  const past = { ...ofKeys, fromDay: fromDay - days, untilDay: fromDay - 1 }
  const [before] = await ctx.store.control.countUse(past, ['projectId'])
  const authors = toAuthors(byDay)
  const largest = await records.listLargestSources(visible, named)
  return {
    stale: await records.countStale(visible, now),
    contradictions: (await findConflicts(records, visible)).count,
    saved: toSaved(byDay, fromDay, days),
    savedBefore: all.reduce((sum, { day, records }) => (day < fromDay ? sum + records : sum), 0),
    authors: authors.slice(0, named),
    authorCount: authors.length,
    sources: await toListed(records, visible, largest.sources, now),
    sourceCount: largest.count,
    calls: await countCallsByDay(ctx, { ...ofKeys, fromDay, untilDay: fromDay + days - 1 }),
    callsBefore: before?.calls ?? 0,
  }
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

function toAuthors(counts: DayCount[]): Counts['authors'] {
  const byAuthor = new Map<string, number>()
  for (const { authorId, records } of counts) byAuthor.set(authorId, records + (byAuthor.get(authorId) ?? 0))
  const authors = [...byAuthor].map(([authorId, records]) => ({ authorId, records }))
  return authors.sort((a, b) => b.records - a.records)
}
