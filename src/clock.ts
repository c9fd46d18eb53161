export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const SPAN_UNITS_MS: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** Reads a time span, a whole number with `m`, `h` or `d`, as milliseconds; undefined for any other text. */
export function parseSpan(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const factor = SPAN_UNITS_MS[unit]
  return factor && Number(number) * factor
}

/** Time as the service sees it; a test holds its own. */
export type Clock = {
  /** Wall clock, milliseconds since 1970; may jump. */
  now: () => number
  /** Monotonic milliseconds from an arbitrary start; never goes back. */
  ticks: () => number
  /** Milliseconds since 1970 of the clock that all instances on one database go by; left out, that is the database's own. */
  shared?: () => number
}

/** Chance as the service sees it; a test may hold its own. */
export type Random = {
  /** A new UUID, sortable by `at` (milliseconds since 1970). */
  uuid: (at: number) => string
  /** `length` bytes from a cryptographic source. */
  bytes: (length: number) => Uint8Array
}

/**
 * Returns whether times of the wall clock can be trusted: not for a day after it has jumped ahead by more than a day, as one that was set wrong does. Ask it often: a
 * jump is seen by the monotonic clock between two questions, and at the first against `before`, a time that is known to have been. `onJump` gets the days.
 */
export function createClockWatch(clock: Clock, onJump: (days: number) => void, before = clock.now()): () => boolean {
  let last = { now: before, ticks: clock.ticks() }
  let distrustedUntil = Number.NEGATIVE_INFINITY
  return () => {
    const [now, ticks] = [clock.now(), clock.ticks()]
    const ahead = now - last.now - (ticks - last.ticks)
    last = { now, ticks }
    if (ahead > DAY_MS) {
      distrustedUntil = ticks + DAY_MS
      onJump(Math.round(ahead / DAY_MS))
    }
    return ticks >= distrustedUntil
  }
}
