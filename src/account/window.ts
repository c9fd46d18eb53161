/** The length of a window, in milliseconds of the monotonic clock. */
export const WINDOW = 60_000

/** The calls of the last 60 seconds of one key or project. */
export type Window = {
  /** How many calls lie within the 60 seconds before `now`. */
  count: (now: number) => number
  add: (now: number) => void
  /** Milliseconds until the oldest call has passed; 0 when there is none. */
  untilFree: (now: number) => number
}

/** An exact sliding window in constant time a call: a ring that grows with what was admitted, and so never beyond the limit. */
export function createWindow(): Window {
  let ring = new Float64Array(8)
  let first = 0
  let size = 0

  function dropPassed(now: number): void {
    while (size > 0 && (ring[first] ?? 0) <= now - WINDOW) {
      first = (first + 1) % ring.length
      size -= 1
    }
  }

  function grow(): void {
    const larger = new Float64Array(ring.length * 2)
    for (let i = 0; i < size; i++) larger[i] = ring[(first + i) % ring.length] ?? 0
    ring = larger
    first = 0
  }

  return {
    count: (now) => {
      dropPassed(now)
      return size
    },
    add: (now) => {
      if (size === ring.length) grow()
      ring[(first + size) % ring.length] = now
      size += 1
    },
    untilFree: (now) => (size === 0 ? 0 : Math.max(0, (ring[first] ?? 0) + WINDOW - now)),
  }
}
