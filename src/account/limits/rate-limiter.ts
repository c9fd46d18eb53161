import { MINUTE_MS } from '../../clock.ts'

/** An amount to take from the bucket with this id, which refills by `perMinute` per minute. */
export type Charge = { id: string; amount: number; perMinute: number }

/** Token buckets, each with a capacity of one minute's amount. */
type RateLimiter = {
  /**
   * Consumes every charge and returns 0, or consumes none and returns the milliseconds until all could be. `now` in
   * milliseconds of the monotonic clock.
   */
  consume: (charges: Charge[], now: number) => number
  /** How many buckets are held in memory: those that were not full at the last sweep, and those used since. */
  size: () => number
}

type Bucket = { used: number; at: number; perMinute: number }

/**
 * Creates token buckets, of constant time and a few bytes each. A bucket admits at least what a sliding window of 60
 * seconds with the same limit does.
 */
export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, Bucket>()
  let sweptAt = Number.NEGATIVE_INFINITY

  function sweep(now: number): void {
    if (now - sweptAt < MINUTE_MS) return
    sweptAt = now
    for (const [id, bucket] of buckets) if (usedAt(bucket, now) === 0) buckets.delete(id)
  }

  function bucketOf({ id, perMinute }: Charge, now: number): Bucket {
    const known = buckets.get(id)
    if (known === undefined) {
      const made = { used: 0, at: now, perMinute }
      buckets.set(id, made)
      return made
    }
    known.used = usedAt(known, now)
    known.at = now
    known.perMinute = perMinute
    return known
  }

  return {
    consume: (charges, now) => {
      sweep(now)
      let wait = 0
      for (const charge of charges) {
        const over = bucketOf(charge, now).used + charge.amount - charge.perMinute
        wait = Math.max(wait, (over / charge.perMinute) * MINUTE_MS)
      }
      if (wait > 0) return wait
      for (const charge of charges) bucketOf(charge, now).used += charge.amount
      return 0
    },
    size: () => buckets.size,
  }
}

function usedAt({ used, at, perMinute }: Bucket, now: number): number {
  return Math.max(0, used - ((now - at) / MINUTE_MS) * perMinute)
}
