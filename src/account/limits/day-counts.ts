import { TooMany } from '../../errors.ts'

/** How often something was done today, by whom; kept in memory, so that a restart begins a new day. */
export type DayCounts = {
  /** Takes one of `most` for this name, or throws TooMany and takes none. `now` in milliseconds of the monotonic clock. */
  take: (name: string, most: number, now: number) => void
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Most names held. An address takes some hundred bytes, and every name beyond shares one count. */
const MAX_NAMES = 50_000

/** Counts that begin anew 24 hours after the first. */
export function createDayCounts(): DayCounts {
  const counts = new Map<string, number>()
  let began = Number.NEGATIVE_INFINITY

  return {
    take: (given, most, now) => {
      if (now - began >= DAY_MS) {
        counts.clear()
        began = now
      }
      const name = counts.has(given) || counts.size < MAX_NAMES ? given : ''
      const count = counts.get(name) ?? 0
      if (count >= most) throw new TooMany(Math.ceil((began + DAY_MS - now) / 1000))
      counts.set(name, count + 1)
    },
  }
}
