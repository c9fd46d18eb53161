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

/** A span of whole minutes as `parseSpan` reads it, in the largest unit of which it is a multiple. */
export function toSpan(milliseconds: number): string {
  const [unit, factor] = Object.entries(SPAN_UNITS_MS).findLast(([, size]) => milliseconds % size === 0) ?? ['m', MINUTE_MS]
  return `${milliseconds / factor}${unit}`
}

/** A time in milliseconds since 1970 as ISO 8601 in UTC. */
export function toIsoTime(time: number): string {
  return new Date(time).toISOString()
}

/** As `toIsoTime`; null for null. */
export function toIsoTimeOrNull(time: number | null): string | null {
  return time === null ? null : toIsoTime(time)
}

/** The source of time; tests control their own. */
export type Clock = {
  /** Wall clock, milliseconds since 1970; may jump. */
  now: () => number
  /** Monotonic milliseconds from an arbitrary start; never goes back. */
  ticks: () => number
  /** Wall clock shared by all instances on one database, in milliseconds since 1970; by default the database's own. */
  shared?: () => number
}

/** The source of randomness; tests may control their own. */
export type Random = {
  /** A new UUID, sortable by `at` (milliseconds since 1970). */
  uuid: (at: number) => string
  /** `length` bytes from a cryptographic source. */
  bytes: (length: number) => Uint8Array
}

/**
 * Creates a function that returns whether the wall clock can be trusted: not for a day after it has jumped ahead by more than a day, which suggests that it
 * was set wrong. Call it often, since a jump is detected by comparing wall and monotonic clock between two calls, and at the first call with `before`, a
 * wall-clock time known to be in the past. `jumpedAt` is the wall-clock time after a jump that an earlier process detected; the day counts from it. `onJump`
 * gets the size of the jump in days.
 */
export function createClockWatch(
  clock: Clock,
  onJump: (days: number) => void,
  { before = clock.now(), jumpedAt }: { before?: number | undefined; jumpedAt?: number | undefined } = {},
): () => boolean {
  let last = { now: before, ticks: clock.ticks() }
  // If that time is in the future, the clock has been corrected since.
  const sinceJump = jumpedAt === undefined || jumpedAt > clock.now() ? DAY_MS : clock.now() - jumpedAt
  let distrustedUntil = last.ticks + DAY_MS - sinceJump
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
