import type { Actor } from '../../account/auth/actor.ts'
import { authorNames } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { toDay } from '../../account/usage/call-uses.ts'
import { type CallsOnDay, countCallsByDay, ownKeysOnly } from '../../account/usage/count-calls.ts'
import { DAY_MS } from '../../clock.ts'
import type { Key } from '../../store/key.ts'
import type { DayCount } from '../../store/statistics.ts'
import { authorizeMemory } from '../authorize-memory.ts'
import { countToReview, type ReviewCounts } from '../records/lists/review-count.ts'
import { countRejected } from '../rejections/list-rejections.ts'
import type { ListedSource } from '../sources/list-sources.ts'
import { countForOverview, type OverviewCounts } from './counts.ts'
import { type Quotas, readQuotas } from './quotas.ts'

/** The periods of an overview, in days, the last of which is today. */
export const PERIODS = [7, 30, 90] as const
export type Period = (typeof PERIODS)[number]

/** Maximum number of sources, of authors and of keys that it names. */
const MAX_NAMED = 8
const REJECTED_DAYS = 7

/** Number of records last saved on a day, by their present status. `day` counts from 1970, in UTC. */
export type SavedOnDay = { day: number; unverified: number; verified: number; superseded: number }

/** State and use of a project, as far as the viewer may see it. `toReview`, `contradictions` and `rejected` are counted up to 100. */
export type Overview = {
  period: Period
  records: number
  stale: number
  toReview: number
  contradictions: number
  /** What the guard rejected within seven days. */
  rejected: number
  /** What counts against the plan, hidden records included; only for those who manage the account. */
  quotas: Quotas | undefined
  /** Every day of the period, oldest first. */
  saved: SavedOnDay[]
  calls: CallsOnDay[]
  /** The sources with the most records. */
  sources: ListedSource[]
  /** The authors with the most records in the period. */
  authors: { name: string; records: number }[]
  /** Live keys, most recently used first: all for owners and admins, their own for others. */
  keys: Key[]
}

/**
 * The overview of a project.
 *
 * @throws Refusal and Notice as `authorizeMemory` does for reading.
 */
export async function readOverview(
  ctx: AppContext & { reviewCounts: ReviewCounts; overviewCounts: OverviewCounts },
  actor: Actor,
  { projectId, period }: { projectId: string; period: Period },
): Promise<Overview> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'read')
  const { visible, account } = memory
  const memberId = ownKeysOnly(actor)
  const now = ctx.clock.now()
  const [fromDay, untilDay] = [toDay(now) - period + 1, toDay(now)]
  const { byDay, ...counts } = await countForOverview(ctx, memory, { savedFrom: fromDay * DAY_MS, sources: MAX_NAMED })
  return {
    period,
    ...counts,
    toReview: await countToReview(ctx, { accountId: account.id, projectId, visible }),
    rejected: await countRejected(ctx, actor, { projectId, since: now - REJECTED_DAYS * DAY_MS }),
    quotas: memberId === undefined ? await readQuotas(ctx, memory) : undefined,
    saved: toSaved(byDay, fromDay, period),
    calls: await countCallsByDay(ctx, { projectIds: [projectId], memberId, fromDay, untilDay }),
    authors: await toAuthors(ctx, byDay),
    keys: await ctx.store.control.listKeysByUse({ projectId, memberId, now, limit: MAX_NAMED }),
  }
}

function toSaved(counts: DayCount[], fromDay: number, days: number): SavedOnDay[] {
  const saved = Array.from({ length: days }, (_, at) => ({ day: fromDay + at, unverified: 0, verified: 0, superseded: 0 }))
  for (const { day, status, records } of counts) {
    const found = saved[day - fromDay]
    if (found !== undefined) found[status] += records
  }
  return saved
}

async function toAuthors(ctx: AppContext, counts: DayCount[]): Promise<Overview['authors']> {
  const byAuthor = new Map<string, number>()
  for (const { authorId, records } of counts) byAuthor.set(authorId, records + (byAuthor.get(authorId) ?? 0))
  const first = [...byAuthor].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMED)
  const names = await authorNames(ctx, new Set(first.map(([id]) => id)))
  return first.map(([id, records]) => ({ name: names.get(id) ?? id, records }))
}
