import type { Clock } from '../../clock.ts'
import { TooMany } from '../../errors.ts'
import type { Caller } from '../auth/caller.ts'
import type { ConcurrencyBounds } from './concurrency.ts'
import { createHeldBytes, type HeldBytes } from './held-bytes.ts'
import { createRateLimiter } from './rate-limiter.ts'

/** Requests of a key in 60 seconds. An agent with much to send makes one or two a second. */
const REQUESTS_PER_MINUTE = 600
/** Bytes of a key in 60 seconds, inflated: searching them for credentials takes about 20 seconds of a core. */
const BYTES_PER_MINUTE = 256 * 2 ** 20
const HELD_BYTES = { ofOne: 4 * 2 ** 20, ofAll: 16 * 2 ** 20 }

/** Segments processed concurrently. Each takes some megabytes of memory and one core. */
export const UPLOADS: ConcurrencyBounds = { ofKey: 1, waitingOfKey: 8, waitingBytesOfKey: HELD_BYTES.ofOne, ofAll: 2 }

/** Limits what keys send of session histories, separately from their other traffic. */
export type UploadTraffic = HeldBytes & {
  /** @throws TooMany */
  consumeRequest: (caller: Caller) => void
  /** @throws TooMany */
  consumeBytes: (caller: Caller, bytes: number) => void
}

export function createUploadTraffic(clock: Pick<Clock, 'ticks'>): UploadTraffic {
  const limiter = createRateLimiter()

  function consume(id: string, amount: number, perMinute: number): void {
    const wait = limiter.consume([{ id, amount, perMinute }], clock.ticks())
    if (wait > 0) throw new TooMany(Math.ceil(wait / 1000), 'too much was uploaded in the last 60 s')
  }

  return {
    ...createHeldBytes(HELD_BYTES),
    consumeRequest: ({ keyId }) => consume(`requests of ${keyId}`, 1, REQUESTS_PER_MINUTE),
    consumeBytes: ({ keyId }, bytes) => consume(`bytes of ${keyId}`, bytes, BYTES_PER_MINUTE),
  }
}
