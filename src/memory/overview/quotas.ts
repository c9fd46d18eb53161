import type { AppContext } from '../../account/context.ts'
import { limitsOf } from '../../account/limits/plan.ts'
import type { Memory } from '../authorize-memory.ts'

/** How much of a limit of the plan is used. */
export type Quota = { used: number; limit: number }

/** `calls` are those of the last 60 seconds. With the embedded engine only the running service knows them; a command beside it counts none. */
export type Quotas = { records: Quota; contentBytes: Quota; calls: Quota }

/** What all members together use of a project's quotas. */
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
