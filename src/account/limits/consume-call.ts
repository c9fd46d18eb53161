import type { Clock } from '../../clock.ts'
import { CountedRefusal } from '../../errors.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../auth/caller.ts'
import { limitsOf } from './plan.ts'
import { toSeconds } from './throttle.ts'

/** What calls are counted with. */
type Counting = { store: Pick<Store, 'windows'>; clock: Pick<Clock, 'ticks'> }

/**
 * Counts a call in the windows of the caller's key and project.
 *
 * @throws Refusal if either is full; then the call is counted in neither.
 */
export async function consumeCall({ store, clock }: Counting, caller: Caller): Promise<void> {
  const { callsPerKey, callsPerProject } = limitsOf(caller.account)
  const key = { id: caller.keyId, limit: callsPerKey }
  const project = { id: caller.projectId, limit: callsPerProject }
  const full = await store.windows.take([key, project], clock.ticks())
  if (full === undefined) return
  const wait = `try again in ${toSeconds(full.untilFreeMs)} s`
  if (full.id === key.id)
    throw new CountedRefusal('rate_limit', `MCP rate limit exceeded (${key.limit} calls in 60 s); ${wait}`)
  throw new CountedRefusal(
    'project_rate_limit',
    `project call limit exceeded (${project.limit} calls in 60 s); ${wait}`,
  )
}
