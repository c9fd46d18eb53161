import { DAY_MS } from '../../clock.ts'
import type { CallOutcome } from '../../metrics/metrics.ts'
import type { DailyUse } from '../../store/daily-use.ts'

/** A finished call of a tool; `at` is in milliseconds since 1970. */
export type CallUse = Pick<DailyUse, 'projectId' | 'keyId' | 'tool'> & {
  outcome: CallOutcome
  milliseconds: number
  at: number
}

/** Number of days that counts of calls are kept. */
export const USE_DAYS = 400

/** Counts of calls by day that are not yet stored. Bounded by the keys and tools used within one upkeep interval. */
export type CallUses = {
  add: (use: CallUse) => void
  /** Removes and returns at most `limit` counts. */
  take: (limit: number) => DailyUse[]
}

/**
 * Upper bounds of the classes in which durations are counted, in milliseconds; they limit the precision of percentiles.
 * No call takes longer than the last.
 */
const DURATIONS_MS = [10, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 3_600_000]

export function createCallUses(): CallUses {
  const uses = new Map<string, DailyUse>()
  return {
    add: ({ projectId, keyId, tool, outcome, milliseconds, at }) => {
      const day = toDay(at)
      const durationMs = DURATIONS_MS.find((bound) => milliseconds <= bound) ?? DURATIONS_MS.at(-1) ?? 0
      // Only the tool can have a blank in its name.
      const key = `${projectId} ${keyId} ${day} ${outcome} ${durationMs} ${tool}`
      const known = uses.get(key)
      if (known === undefined) uses.set(key, { projectId, day, tool, keyId, outcome, durationMs, calls: 1 })
      else known.calls += 1
    },
    take: (limit) => {
      const taken = [...uses.entries().take(limit)]
      for (const [key] of taken) uses.delete(key)
      return taken.map(([, use]) => use)
    },
  }
}

/** The number of days from 1970 to a time in milliseconds since 1970, in UTC. */
export const toDay = (time: number): number => Math.floor(time / DAY_MS)
