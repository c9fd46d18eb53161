/** The length of a window, in milliseconds of the monotonic clock. */
export const WINDOW_MS = 60_000

/** The calls of the last 60 seconds of one key or project. */
export type SlidingWindow = {
  /** How many calls lie within the 60 seconds before `now`. */
  count: (now: number) => number
  add: (now: number) => void
  /** Milliseconds until the oldest call has passed; 0 when there is none. */
  untilFree: (now: number) => number
}

/** Milliseconds that a new window has room for; it grows up to those of its length. */
const INITIAL_CAPACITY = 8

/**
 * A sliding window, exact to the millisecond, in constant time a call. Calls of one millisecond share a place, and each counts until the
 * 60 seconds after the end of its own have passed: never for less. So it grows with what was admitted, to some 60 000 places at most.
 */
export function createSlidingWindow(): SlidingWindow {
  let times = new Float64Array(INITIAL_CAPACITY)
  let calls = new Uint32Array(INITIAL_CAPACITY)
  let first = 0
  let places = 0
  let size = 0

  function dropPassed(now: number): void {
    while (places > 0 && (times[first] ?? 0) <= now - WINDOW_MS) {
      size -= calls[first] ?? 0
      first = (first + 1) % times.length
      places -= 1
    }
  }

  function grow(): void {
    const [larger, more] = [new Float64Array(times.length * 2), new Uint32Array(times.length * 2)]
    for (let at = 0; at < places; at++) {
      const from = (first + at) % times.length
      larger[at] = times[from] ?? 0
      more[at] = calls[from] ?? 0
    }
    times = larger
    calls = more
    first = 0
  }

  function addPlace(time: number): void {
    if (places === times.length) grow()
    const place = (first + places) % times.length
    times[place] = time
    calls[place] = 1
    places += 1
  }

  return {
    count: (now) => {
      dropPassed(now)
      return size
    },
    add: (now) => {
      const time = Math.ceil(now)
      const last = (first + places - 1) % times.length
      if (places > 0 && times[last] === time) calls[last] = (calls[last] ?? 0) + 1
      else addPlace(time)
      size += 1
    },
    untilFree: (now) => (places === 0 ? 0 : Math.max(0, (times[first] ?? 0) + WINDOW_MS - now)),
  }
}
