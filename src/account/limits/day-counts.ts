import { DAY_MS } from '../../clock.ts'
import { TooMany } from '../../errors.ts'

/** Counts per name and day. In memory only, so a restart begins a new day. */
export type DayCounts = {
  /**
   * Counts one of at most `limit` for this name. `now` is in milliseconds of the monotonic clock.
   *
   * @throws TooMany if the limit is reached; then nothing is counted.
   */
  consume: (name: string, limit: number, now: number) => void
}

/** Maximum number of names, of some hundred bytes each. All further names share one count. */
const MAX_NAMES = 50_000

/** Creates day counts; a day ends 24 hours after its first count. */
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
