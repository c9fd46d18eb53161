import type { CallError } from '../../store/daily-use.ts'
import { toDay } from './call-uses.ts'

type NewCallError = Omit<CallError, 'seq'>

/** Calls that were refused or failed and are not yet stored. */
export type CallErrors = {
  /**
   * Of a project's calls above 10 000 on one day (UTC), one of 100 is kept. Calls are lost while 20 000 wait to be
   * stored.
   */
  add: (error: Omit<NewCallError, 'calls'>) => void
  /** Removes and returns at most `limit` of them, oldest first. */
  take: (limit: number) => NewCallError[]
}

/** Number of days that they are kept. */
export const CALL_ERROR_DAYS = 30
/** Calls of a project on one day that are all kept, and how many stand for one that is kept beyond. */
export const MAX_KEPT_A_DAY = 10_000
export const SAMPLED = 100
const MAX_WAITING = 20_000

export function createCallErrors(): CallErrors {
  const waiting: NewCallError[] = []
  /** Numbers of calls of this day, by project. */
  const counts = new Map<string, number>()
  let day = 0
  return {
    add: (error) => {
      const today = toDay(error.at)
      if (today !== day) counts.clear()
      day = today
      const count = (counts.get(error.projectId) ?? 0) + 1
      counts.set(error.projectId, count)
      const calls = count <= MAX_KEPT_A_DAY ? 1 : SAMPLED
      if (count % calls === 0 && waiting.length < MAX_WAITING) waiting.push({ ...error, calls })
    },
    take: (limit) => waiting.splice(0, limit),
  }
}
