import { CountedRefusal, type RefusalKind } from '../../errors.ts'
import type { Caller } from '../auth/caller.ts'
import type { AppContext } from '../context.ts'
import { limitsOf } from './plan.ts'
import type { SlidingWindow } from './sliding-window.ts'

/**
 * Counts a call in the windows of the caller's key and project.
 *
 * @throws Refusal where either is full; then the call is counted in neither.
 */
export function consumeCall({ windows, clock }: Pick<AppContext, 'windows' | 'clock'>, caller: Caller): void {
  const now = clock.ticks()
  const { callsPerKey, callsPerProject } = limitsOf(caller.account)
  const key = windows.of(caller.keyId, now)
  const project = windows.of(caller.projectId, now)
  requireRoom(key, callsPerKey, now, 'MCP rate limit exceeded', 'rate_limit')
  requireRoom(project, callsPerProject, now, 'project call limit exceeded', 'project_rate_limit')
  key.add(now)
  project.add(now)
}

function requireRoom(window: SlidingWindow, limit: number, now: number, text: string, kind: RefusalKind): void {
  if (window.count(now) < limit) return
  const seconds = Math.max(1, Math.ceil(window.untilFree(now) / 1000))
  throw new CountedRefusal(kind, `${text} (${limit} calls in 60 s); try again in ${seconds} s`)
}
