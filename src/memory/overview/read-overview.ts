import type { Actor } from '../../account/auth/actor.ts'
import { authorNames } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { limitsOf } from '../../account/limits/plan.ts'
import { toDay } from '../../account/usage/call-uses.ts'
import { ownKeysOnly } from '../../account/usage/count-calls.ts'
import { DAY_MS } from '../../clock.ts'
import type { Key } from '../../store/account.ts'
import { countToReview, type ReviewCounts } from '../records/lists/review-count.ts'
import { countRejected, MAX_REJECTED } from '../rejections/list-rejections.ts'
import { authorizeMemory, type Memory } from '../visibility.ts'
import { type CountedOverview, countOverview, type OverviewCounts } from './counts.ts'
import { countMeanwhile, countNow, MANY_RECORDS } from './kept-counts.ts'

/** The periods of an overview, in days; the last day is today. */
export const PERIODS = [7, 30, 90] as const
export type Period = (typeof PERIODS)[number]

/** Maximum number of sources, of authors and of keys that it names. */
const MAX_NAMED = 8
const REJECTED_DAYS = 7

/** The numbers that take long to count: of the records and calls which the viewer may see. */
type Numbers = Omit<CountedOverview, 'authors'> & { authors: { name: string; records: number }[] }

/** State and use of a project, as far as the viewer may see it, without `numbers`. */
type Known = {
  period: Period
  /** The first day of the period, counted since 1970, in UTC. */
  fromDay: number
  records: number
  toReview: number
  /** What the guard rejected within seven days; above `MAX_REJECTED` there may be more. */
  rejected: number
  /** What it rejected in the seven days before; undefined if that is not known, since there are too many. */
  rejectedBefore: number | undefined
  /** What counts against the plan, hidden records included; only for those who manage the account. */
  quotas: Quotas | undefined
  /** Live keys, most recently used first, and how many: all for owners and admins, their own for others. */
  keys: Key[]
  keyCount: number
}

export type Overview = Known & { numbers: Numbers }
/** `numbers` is undefined while they are counted for the first time. */
export type PresentOverview = Known & { numbers: Numbers | undefined }

type Context = AppContext & { reviewCounts: ReviewCounts; overviewCounts: OverviewCounts }
type Selection = { projectId: string; period: Period }

/**
 * The overview of a project.
 *
 * @throws Refusal and Notice as `authorizeMemory` does for reading.
 */
export async function readOverview(ctx: Context, actor: Actor, { projectId, period }: Selection): Promise<Overview> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'read')
  const numbers = await nameAuthors(ctx, await countNow(ctx, memory, toCounting(ctx, actor, memory, period)))
  return { ...(await readKnown(ctx, actor, memory, period)), numbers }
}

/**
 * The overview of a project as it is known at once: with more than 20 000 records, `numbers` are those of the last
 * counting.
 *
 * @throws Refusal and Notice as `authorizeMemory` does for reading.
 */
export async function readPresentOverview(
  ctx: Context,
  actor: Actor,
  { projectId, period }: Selection,
): Promise<PresentOverview> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'read')
  const known = await readKnown(ctx, actor, memory, period)
  const count = known.records > MANY_RECORDS ? countMeanwhile : countNow
  const counted = await count(ctx, memory, toCounting(ctx, actor, memory, period))
  return { ...known, numbers: counted && (await nameAuthors(ctx, counted)) }
}

function toCounting(ctx: Context, actor: Actor, memory: Memory, days: Period) {
  const wish = { fromDay: firstDayOf(ctx, days), days, memberId: ownKeysOnly(actor), named: MAX_NAMED }
  const name = `${wish.fromDay} ${days} ${wish.memberId}`
  return { kept: ctx.overviewCounts, name, count: () => countOverview(ctx, memory, wish) }
}

const firstDayOf = ({ clock }: AppContext, days: Period): number => toDay(clock.now()) - days + 1

async function nameAuthors(ctx: AppContext, { authors, ...counted }: CountedOverview): Promise<Numbers> {
  const names = await authorNames(ctx, new Set(authors.map(({ authorId }) => authorId)))
  return {
    ...counted,
    authors: authors.map(({ authorId, records }) => ({ name: names.get(authorId) ?? authorId, records })),
  }
}

async function readKnown(ctx: Context, actor: Actor, memory: Memory, period: Period): Promise<Known> {
  const { account, projectId, visible } = memory
  const viewer = { accountId: account.id, projectId, visible }
  const memberId = ownKeysOnly(actor)
  const now = ctx.clock.now()
  const live = { projectId, memberId, revokedAt: null, expiresAt: { after: now } }
  const countSince = (days: number) => countRejected(ctx, actor, { projectId, since: now - days * DAY_MS })
  const [rejected, ofBoth] = [await countSince(REJECTED_DAYS), await countSince(2 * REJECTED_DAYS)]
  return {
    period,
    fromDay: firstDayOf(ctx, period),
    records: await memory.records.countRecords(visible),
    toReview: await countToReview(ctx, viewer),
    rejected,
    rejectedBefore: ofBoth > MAX_REJECTED ? undefined : ofBoth - rejected,
    quotas: memberId === undefined ? await readQuotas(ctx, memory) : undefined,
    keys: await ctx.store.control.list('keys', live, { by: 'lastUsedAt', newestFirst: true, limit: MAX_NAMED }),
    keyCount: await ctx.store.control.count('keys', live),
  }
}

/** How much of a limit of the plan is used. */
type Quota = { used: number; limit: number }

/**
 * `calls` are those of the last 60 seconds. With the embedded engine only the running service knows them; a command
 * beside it counts none.
 */
type Quotas = { records: Quota; contentBytes: Quota; calls: Quota }

/** What all members together use of a project's quotas. */
async function readQuotas({ store, clock }: AppContext, { account, projectId, records }: Memory): Promise<Quotas> {
  const limits = limitsOf(account)
  const usage = await records.readUsage()
  const calls = await store.windows.count(projectId, clock.ticks())
  return {
    records: { used: usage.records, limit: limits.records },
    contentBytes: { used: usage.contentBytes, limit: limits.contentBytes },
    calls: { used: calls, limit: limits.callsPerProject },
  }
}
