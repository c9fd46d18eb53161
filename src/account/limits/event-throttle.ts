import { DAY_MS, MINUTE_MS } from '../../clock.ts'

/** Limits how many events of one kind reach the audit log, so that nobody can fill it. */
export type EventThrottle = {
  /**
   * Counts one event of a client. Undefined if it must not be recorded; otherwise the number of events held back since
   * the last recorded one. `now` is in milliseconds of the monotonic clock.
   */
  take: (clientIp: string, now: number) => { heldBack: number } | undefined
}

const INTERVAL_MS = 10 * MINUTE_MS
/** Bounds the log's growth and the client addresses held in memory. */
const MAX_EVENTS_PER_DAY = 1_000

/** Allows one event in ten minutes for each client, and 1 000 a day in total. */
export function createEventThrottle(): EventThrottle {
  const recordedAt = new Map<string, number>()
  let dayBegan = Number.NEGATIVE_INFINITY
  let recorded = 0
  let heldBack = 0

  function beginDay(now: number): void {
    recordedAt.clear()
    dayBegan = now
    recorded = 0
  }

  return {
    take: (clientIp, now) => {
      if (now - dayBegan >= DAY_MS) beginDay(now)
      const elapsed = now - (recordedAt.get(clientIp) ?? Number.NEGATIVE_INFINITY)
      if (recorded >= MAX_EVENTS_PER_DAY || elapsed < INTERVAL_MS) {
        heldBack += 1
        return undefined
      }
      recordedAt.set(clientIp, now)
      recorded += 1
      const before = heldBack
      heldBack = 0
      return { heldBack: before }
    },
  }
}
