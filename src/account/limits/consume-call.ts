import { Refusal } from '../../errors.ts'
import type { Caller } from '../auth/caller.ts'
import type { AppContext } from '../context.ts'
import { limitsOf } from './plan.ts'
import type { SlidingWindow } from './sliding-window.ts'

/** Takes a place in the windows of the caller's key and project, or throws a Refusal and takes none in either. */
export function consumeCall({ windows, clock }: Pick<AppContext, 'windows' | 'clock'>, caller: Caller): void {
  const now = clock.ticks()
  const { callsPerKey, callsPerProject } = limitsOf(caller.account)
  const key = windows.of(caller.keyId, now)
  const project = windows.of(caller.projectId, now)
  requirePlace(key, callsPerKey, now, 'MCP rate limit exceeded')
  requirePlace(project, callsPerProject, now, 'project call limit exceeded')
  key.add(now)
  project.add(now)
}

function requirePlace(window: SlidingWindow, most: number, now: number, text: string): void {
  if (window.count(now) < most) return
  const seconds = Math.max(1, Math.ceil(window.untilFree(now) / 1000))
  throw new Refusal(`${text} (${most} calls in 60 s); try again in ${seconds} s`)
}
