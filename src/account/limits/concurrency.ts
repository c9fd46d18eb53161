import { CountedRefusal } from '../../errors.ts'
import { createSemaphore, type Semaphore, type SemaphoreBounds } from '../../semaphore.ts'

type ConcurrencyBounds = Required<Pick<SemaphoreBounds, 'ofKey' | 'ofAll' | 'waitingOfKey' | 'waitingBytesOfKey'>>

/** A client that sends a few hundred calls at once gets an answer to each; 256 small ones or 16 MiB fit. */
const WAITING_CALLS = { waitingOfKey: 256, waitingBytesOfKey: 16 * 2 ** 20 }

/**
 * Bounds for memory tools. Saves that run at the same time share a transaction: with 64 callers on one key 28 saves
 * shared one, and with a bound of 16 only 14. Searches have a narrower bound of their own.
 */
const MEMORY_CALLS: ConcurrencyBounds = { ofKey: 64, ...WAITING_CALLS, ofAll: 128 }

/**
 * Bounds for calls forwarded to other servers, which take memory here but little CPU. Each integration has its own
 * bound over all keys.
 */
const FORWARDED_CALLS: ConcurrencyBounds = { ofKey: 32, ...WAITING_CALLS, ofAll: Number.POSITIVE_INFINITY }

/**
 * Bounds for uploaded segments of session histories: each takes some megabytes of memory and one core. Those that wait
 * have at most as many bytes as a key may hold in memory (`traffic.ts`).
 */
const UPLOADS: ConcurrencyBounds = { ofKey: 1, waitingOfKey: 8, waitingBytesOfKey: 4 * 2 ** 20, ofAll: 2 }

/** Limits what is done at the same time: calls of memory tools, calls to other servers, and segments of histories. */
export type Slots = Record<'memoryCalls' | 'forwardedCalls' | 'uploads', Semaphore>

export const createSlots = (): Slots => ({
  memoryCalls: createConcurrency(MEMORY_CALLS),
  forwardedCalls: createConcurrency(FORWARDED_CALLS),
  uploads: createConcurrency(UPLOADS),
})

/** Runs the calls of many keys. An act that cannot wait is refused, and so is one that is aborted while it waits. */
export function createConcurrency(bounds: ConcurrencyBounds): Semaphore {
  const { ofKey, waitingOfKey, waitingBytesOfKey } = bounds
  return createSemaphore({
    ...bounds,
    toFull: (isNumber) => {
      const waits = isNumber ? `${waitingOfKey} wait` : `${waitingBytesOfKey / 2 ** 20} MiB of them wait`
      const text = `too many calls at once; ${ofKey} of this key are at work and ${waits}: try again when some have ended`
      return new CountedRefusal('concurrency', text)
    },
    toAborted: () => new CountedRefusal('cancelled', 'the call was cancelled'),
  })
}
