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

/** A span of whole minutes as `parseSpan` reads it, in the largest unit that divides it. */
export function toSpan(milliseconds: number): string {
  const [unit, factor] = Object.entries(SPAN_UNITS_MS).findLast(([, size]) => milliseconds % size === 0) ?? [
    'm',
    MINUTE_MS,
  ]
  return `${milliseconds / factor}${unit}`
}

/** A time in milliseconds since 1970 as ISO 8601 in UTC. */
export function toIsoTime(time: number): string {
  return new Date(time).toISOString()
}

/** The time to the second: `2026-11-20T08:00:00Z`. */
export function toIsoSecond(time: number): string {
  return toIsoTime(time).replace(/\.\d+/, '')
}

/** As `toIsoTime`; null for null. */
export function toIsoTimeOrNull(time: number | null): string | null {
  return time === null ? null : toIsoTime(time)
}

/** What the first of the promises resolves with; undefined when none does in time. */
export async function beforeTimeout<T>(milliseconds: number, ...promises: Promise<T>[]): Promise<T | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, milliseconds)
  try {
    return await Promise.race([...promises, timeout])
  } finally {
    clearTimeout(timer)
  }
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

/** A jump of the wall clock ahead: the time to which it jumped, and the time that it would have been otherwise. */
export type ClockJump = { at: number; from: number }

/** What is known of the wall clock from before: a time that has been, and the last jump. */
export type KnownTimes = { before?: number | undefined; jump?: ClockJump | undefined }

/**
 * Creates a function that returns the time by which things may be erased. That is the wall clock, except for a day
 * after it has jumped ahead by more than a day, which suggests that it was set wrong: until then it is the time that it
 * would be without the jump. Call it often, since a jump is detected by comparing wall and monotonic clock between two
 * calls, and at the first call with `before`. Then a service that did not run for more than a day is taken for a jump
 * too: nothing is erased in it that could not have been erased before.
 */
export function createClockWatch(
  clock: Clock,
  onJump: (jump: ClockJump) => void,
  { before = clock.now(), jump }: KnownTimes = {},
): () => number {
  let last = { now: before, ticks: clock.ticks() }
  // If a jump led into what is the future now, the clock has been corrected since.
  const isOver = jump === undefined || jump.at > clock.now()
  let distrust = isOver ? undefined : { from: jump.from, since: last.ticks - (clock.now() - jump.at) }

  function toTrusted(now: number, ticks: number): number {
    if (distrust === undefined || ticks - distrust.since >= DAY_MS) return now
    return Math.min(now, distrust.from + ticks - distrust.since)
  }

  return () => {
    const [now, ticks] = [clock.now(), clock.ticks()]
    const expected = last.now + ticks - last.ticks
    last = { now, ticks }
    if (now - expected > DAY_MS) {
      distrust = { from: toTrusted(expected, ticks), since: ticks }
      onJump({ at: now, from: distrust.from })
    }
    return toTrusted(now, ticks)
  }
}
