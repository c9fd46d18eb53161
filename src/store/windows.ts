/** The length of a window, in milliseconds. */
export const WINDOW_MS = 60_000

/** A place to take in a sliding window, which holds at most `limit`. */
export type Place = { id: string; limit: number }

/** A full window, and the milliseconds until its oldest place becomes free. */
export type FullWindow = { id: string; untilFreeMs: number }

/** Sliding windows of the last 60 seconds, which count calls and attempts. */
export type Windows = {
  /**
   * Takes a place in each of these windows for 60 seconds or, if one of them is full, in none; returns the first full
   * one. Atomic over all instances on the same data. `now` is in milliseconds of the monotonic clock; with several
   * instances the database's clock is used instead.
   */
  take: (places: Place[], now: number) => Promise<FullWindow | undefined>
  /** How many places of the window are taken. */
  count: (id: string, now: number) => Promise<number>
}
