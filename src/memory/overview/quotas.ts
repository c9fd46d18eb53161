import type { AppContext } from '../../account/context.ts'
import { limitsOf } from '../../account/limits/plan.ts'
import type { Memory } from '../authorize-memory.ts'

/** What is used of a limit of the plan. */
export type Quota = { used: number; limit: number }

/** `calls` are those of the last 60 seconds. Over files only the running service knows of them: a command beside it counts none. */
export type Quotas = { records: Quota; contentBytes: Quota; calls: Quota }

/** Everybody's records and calls of a project against the plan of its account. */
export async function readQuotas({ store, clock }: AppContext, { account, projectId, records }: Memory): Promise<Quotas> {
  const limits = limitsOf(account)
  const usage = await records.readUsage()
  const calls = await store.windows.count(projectId, clock.ticks())
  return {
    records: { used: usage.records, limit: limits.records },
    contentBytes: { used: usage.contentBytes, limit: limits.contentBytes },
    calls: { used: calls, limit: limits.callsPerProject },
  }
}
