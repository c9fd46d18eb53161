import { type Actor, requireManager } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { toDay } from '../account/usage/call-uses.ts'
import type { UseCount } from '../store/daily-use.ts'
import type { Integration } from '../store/integration.ts'

/** Number of days whose calls are summed, today included. */
const USE_DAYS = 7
const PERCENTILE = 0.95

/**
 * Use of a tool, or of a whole integration. `errors` counts calls that failed or were refused; `p95Ms` is the 95th
 * percentile of the duration in milliseconds, undefined without calls.
 */
export type UseSummary = { calls: number; errors: number; p95Ms: number | undefined }

/** Use of an integration in total, and of its tools by the upstream's names. */
export type IntegrationUse = { all: UseSummary; byTool: Map<string, UseSummary> }

type Count = UseCount<'tool' | 'outcome' | 'durationMs'>

/**
 * Sums the calls of an integration in the projects that it is enabled for, over the last seven days (UTC). Calls of the
 * last minute may be missing. Durations are stored in classes, so a percentile is the upper bound of its class. Throws
 * a Refusal for an actor who may not manage the account.
 */
export async function readIntegrationUse(
  { store, clock }: AppContext,
  actor: Actor,
  integration: Integration,
): Promise<IntegrationUse> {
  const { id, accountId, slug } = integration
  requireManager(actor, accountId)
  const today = toDay(clock.now())
  const enabled = await store.control.list('enabledIntegrations', { integrationId: id })
  const selection = {
    projectIds: enabled.map(({ projectId }) => projectId),
    integration: slug,
    fromDay: today - USE_DAYS + 1,
    untilDay: today,
  }
  const counts = await store.control.countUse(selection, ['tool', 'outcome', 'durationMs'])
  const byTool = Map.groupBy(counts, ({ tool }) => tool.slice(slug.length + 1))
  return { all: summarize(counts), byTool: new Map([...byTool].map(([name, some]) => [name, summarize(some)])) }
}

function summarize(counts: Count[]): UseSummary {
  const calls = sum(counts)
  let left = Math.ceil(calls * PERCENTILE)
  const step = counts
    .toSorted((a, b) => a.durationMs - b.durationMs)
    .find((count) => {
      left -= count.calls
      return left <= 0
    })
  return { calls, errors: sum(counts.filter(({ outcome }) => outcome !== 'ok')), p95Ms: step?.durationMs }
}

const sum = (counts: Count[]): number => counts.reduce((calls, count) => calls + count.calls, 0)
