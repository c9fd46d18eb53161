import { WINDOW_MS, type Windows } from '../windows.ts'

/** The calls or attempts of the last 60 seconds. `now` is in milliseconds of the monotonic clock. */
type SlidingWindow = {
  /** Number of calls within the 60 seconds before `now`. */
  count: (now: number) => number
  add: (now: number) => void
  /** Milliseconds until the oldest call leaves the window; 0 if there is none. */
  untilFree: (now: number) => number
}

/**
 * A sliding window with constant time per call, on average. Calls within one millisecond share an entry, and count until
 * 60 seconds after the end of that millisecond, so never for less than 60 seconds. There are at most 60 000 entries that
 * count, and as many that have expired.
 */
export function createSlidingWindow(): SlidingWindow {
  const entries: { endsAt: number; calls: number }[] = []
  /** The first entry that has not expired. */
  let first = 0
  let size = 0

  function dropExpired(now: number): void {
    for (let entry = entries[first]; entry !== undefined && entry.endsAt <= now - WINDOW_MS; entry = entries[first]) {
      size -= entry.calls
      first += 1
    }
    if (first <= entries.length / 2) return
    entries.splice(0, first)
    first = 0
  }

  return {
    count: (now) => {
      dropExpired(now)
      return size
    },
    add: (now) => {
      const endsAt = Math.ceil(now)
      const last = entries.at(-1)
      if (last?.endsAt === endsAt) last.calls += 1
      else entries.push({ endsAt, calls: 1 })
      size += 1
    },
    untilFree: (now) => Math.max(0, (entries[first]?.endsAt ?? Number.NEGATIVE_INFINITY) + WINDOW_MS - now),
  }
}

/**
 * Windows in memory, which start empty with each process. Once a minute, windows without a call in the last 60 seconds
 * are dropped.
 */
export function createWindows(): Windows & { size: () => number } {
  const windows = new Map<string, SlidingWindow>()
  let sweptAt = Number.NEGATIVE_INFINITY

  function sweep(now: number): void {
    if (now - sweptAt < WINDOW_MS) return
    sweptAt = now
    for (const [id, window] of windows) if (window.count(now) === 0) windows.delete(id)
  }

  function windowOf(id: string): SlidingWindow {
    const known = windows.get(id)
    if (known !== undefined) return known
    const made = createSlidingWindow()
    windows.set(id, made)
    return made
  }

  return {
    take: async (places, now) => {
      sweep(now)
      const wanted = places.map(({ id, limit }) => ({ id, limit, window: windowOf(id) }))
      const full = wanted.find(({ window, limit }) => window.count(now) >= limit)
      if (full !== undefined) return { id: full.id, untilFreeMs: full.window.untilFree(now) }
      for (const { window } of wanted) window.add(now)
      return undefined
    },
    count: async (id, now) => windows.get(id)?.count(now) ?? 0,
    size: () => windows.size,
  }
}
