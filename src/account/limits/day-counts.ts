import { DAY_MS } from '../../clock.ts'
import { TooMany } from '../../errors.ts'

/** How often something was done within a day, by name. Held in memory, so a restart begins a new day. */
export type DayCounts = {
  /**
   * Counts one of `limit` for this name. `now` in milliseconds of the monotonic clock.
   *
   * @throws TooMany where all are used up; then nothing is counted.
   */
  consume: (name: string, limit: number, now: number) => void
}

/** Names held, of some hundred bytes each. All names beyond share one count. */
const MAX_NAMES = 50_000

/** Day counts that begin anew 24 hours after the first was counted. */
export function createDayCounts(): DayCounts {
  const counts = new Map<string, number>()
  let began = Number.NEGATIVE_INFINITY

  return {
    consume: (given, limit, now) => {
      if (now - began >= DAY_MS) {
        counts.clear()
        began = now
      }
      const name = counts.has(given) || counts.size < MAX_NAMES ? given : ''
      const count = counts.get(name) ?? 0
      if (count >= limit) throw new TooMany(Math.ceil((began + DAY_MS - now) / 1000))
      counts.set(name, count + 1)
    },
  }
}
