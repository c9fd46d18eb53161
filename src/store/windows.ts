/** The length of a window, in milliseconds. */
export const WINDOW_MS = 60_000

/** A place in the window of this id, which holds at most this many. */
export type Place = { id: string; limit: number }

/** A window without room, and the milliseconds until its oldest place is free. */
export type FullWindow = { id: string; untilFreeMs: number }

/** The calls, and attempts, of the last 60 seconds, by what they are counted for. */
export type Windows = {
  /**
   * Takes a place in each of these windows, for 60 seconds, or where one of them is full in none; returns the first that is. Calls of all instances that work on the same
   * data take effect one after the other. `now` in milliseconds of the monotonic clock; where there may be several instances, their database's clock holds instead.
   */
  take: (places: Place[], now: number) => Promise<FullWindow | undefined>
  /** How many places of the window are taken. */
  count: (id: string, now: number) => Promise<number>
}
