import { WINDOW_MS, type Windows } from '../windows.ts'

/** The calls or attempts of the last 60 seconds. `now` is in milliseconds of the monotonic clock. */
type SlidingWindow = {
  /** Number of calls within the 60 seconds before `now`. */
  count: (now: number) => number
  add: (now: number) => void
  /** Milliseconds until the oldest call leaves the window; 0 if there is none. */
  untilFree: (now: number) => number
}

/** Initial number of entries, which doubles when the ring is full. */
const INITIAL_CAPACITY = 8

/**
 * A sliding window with constant time per call. Calls within one millisecond share an entry of a ring, and count until
 * 60 seconds after the end of that millisecond, so never for less than 60 seconds. The ring grows with the admitted
 * calls, to at most 60 000 entries.
 */
export function createSlidingWindow(): SlidingWindow {
  let endsAt = new Float64Array(INITIAL_CAPACITY)
  let calls = new Uint32Array(INITIAL_CAPACITY)
  let first = 0
  let used = 0
  let size = 0

  function dropExpired(now: number): void {
    while (used > 0 && (endsAt[first] ?? 0) <= now - WINDOW_MS) {
      size -= calls[first] ?? 0
      first = (first + 1) % endsAt.length
      used -= 1
    }
  }

  function grow(): void {
    const [largerEnds, largerCalls] = [new Float64Array(endsAt.length * 2), new Uint32Array(endsAt.length * 2)]
    for (let at = 0; at < used; at++) {
      const from = (first + at) % endsAt.length
      largerEnds[at] = endsAt[from] ?? 0
      largerCalls[at] = calls[from] ?? 0
    }
    endsAt = largerEnds
    calls = largerCalls
    first = 0
  }

  function addEntry(time: number): void {
    if (used === endsAt.length) grow()
    const entry = (first + used) % endsAt.length
    endsAt[entry] = time
    calls[entry] = 1
    used += 1
  }

  return {
    count: (now) => {
      dropExpired(now)
      return size
    },
    add: (now) => {
      const time = Math.ceil(now)
      const last = (first + used - 1) % endsAt.length
      if (used > 0 && endsAt[last] === time) calls[last] = (calls[last] ?? 0) + 1
      else addEntry(time)
      size += 1
    },
    untilFree: (now) => (used === 0 ? 0 : Math.max(0, (endsAt[first] ?? 0) + WINDOW_MS - now)),
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
