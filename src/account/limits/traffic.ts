import { type Clock, MINUTE_MS } from '../../clock.ts'
import { TooMany } from '../../errors.ts'
import type { Caller } from '../auth/caller.ts'
import { createHeldBytes, type HeldBytes } from './held-bytes.ts'
import { limitsOf } from './plan.ts'
import { toSeconds } from './throttle.ts'

/** An amount to take from the bucket with this id, which refills by `perMinute` per minute. */
type Charge = { id: string; amount: number; perMinute: number }

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

/**
 * Bodies up to this size are light: they are read before they are counted, so that the kind of their message is known.
 */
export const LIGHT_BODY_BYTES = 16_384

/**
 * Messages other than calls admitted for each call of the plan: a client without a lasting session sends three before
 * each call.
 */
const MESSAGES_PER_CALL = 4
const MIN_MESSAGES = 600
/**
 * Bytes admitted for each call of the plan: four times the largest content, which JSON escapes can make up to three
 * times as long.
 */
const BYTES_PER_CALL = 262_144
const MIN_BYTES = 16 * 2 ** 20
/** Upper bound of bytes per minute: more than one gigabit per second carries. */
const MAX_BYTES = 8 * 2 ** 30
/**
 * `tools/list` requests per minute that a key may still make when its messages, or those of its client address, are
 * used up.
 */
const RESERVED_LISTS = 60

/**
 * For bodies that are not light. One key has room for the calls that may wait (`concurrency.ts`), and for half as much
 * that is being read or processed.
 */
const HELD_BYTES = { ofOne: 24 * 2 ** 20, ofAll: 48 * 2 ** 20 }

/** How a message is counted: as a `tools/call`, a `tools/list` or another one. */
export type MessageKind = 'call' | 'list' | 'other'

/**
 * Limits what callers send in addition to calls, which `consumeCall` counts: other messages, and bytes, of each key and
 * of each client address of an account. Every method throws TooMany.
 */
export type Traffic = HeldBytes & {
  /** Counts a body that is not light, before it is read. */
  consumeBody: (caller: Caller, bytes: number) => void
  /** Counts a message that was read. `bytes` is the size of a light body, and 0 if the body was counted before. */
  consumeMessage: (caller: Caller, kind: MessageKind, bytes: number) => void
}

export function createTraffic(clock: Pick<Clock, 'ticks'>): Traffic {
  const { limiter, consume } = createCharging(clock, 'sent')
  return {
    ...createHeldBytes(HELD_BYTES),
    consumeBody: (caller, bytes) => consume(toCharges(caller, 'bytes', bytes)),
    consumeMessage: (caller, kind, bytes) => {
      // A light call, as most requests are, is charged to its key alone: `consumeCall` bounds the calls of key and
      // project.
      if (kind === 'call') return bytes === 0 ? undefined : consume([toKeyCharge(caller, 'bytes', bytes)])
      const charges = [...toCharges(caller, 'messages', 1), ...toCharges(caller, 'bytes', bytes)]
      if (kind === 'other') return consume(charges)
      if (limiter.consume(charges, clock.ticks()) > 0)
        consume([{ id: `lists of ${caller.keyId}`, amount: 1, perMinute: RESERVED_LISTS }])
    },
  }
}

function createCharging({ ticks }: Pick<Clock, 'ticks'>, done: 'sent' | 'uploaded') {
  const limiter = createRateLimiter()
  const consume = (charges: Charge[]): void => {
    const wait = limiter.consume(charges, ticks())
    if (wait > 0) throw new TooMany(toSeconds(wait), `too much was ${done} in the last 60 s`)
  }
  return { limiter, consume }
}

type Kind = 'messages' | 'bytes'

/** A charge to the key, and one to the client address among those of the account. */
function toCharges(caller: Caller, kind: Kind, amount: number): Charge[] {
  const { accountId, account, clientIp } = caller
  const perMinute = toPerMinute(kind, limitsOf(account).callsPerProject)
  return [toKeyCharge(caller, kind, amount), { id: `${kind} of ${accountId} from ${clientIp?.()}`, amount, perMinute }]
}

function toKeyCharge({ account, keyId }: Caller, kind: Kind, amount: number): Charge {
  return { id: `${kind} of ${keyId}`, amount, perMinute: toPerMinute(kind, limitsOf(account).callsPerKey) }
}

function toPerMinute(kind: Kind, calls: number): number {
  if (kind === 'messages') return Math.max(MIN_MESSAGES, MESSAGES_PER_CALL * calls)
  return Math.min(MAX_BYTES, Math.max(MIN_BYTES, BYTES_PER_CALL * calls))
}

/** Uploads of session histories that a key may request in 60 seconds. An agent with much to send makes one or two a second. */
const UPLOADS_PER_MINUTE = 600
/** Bytes of them, inflated: searching them for credentials takes about 20 seconds of a core. */
const UPLOADED_BYTES_PER_MINUTE = 256 * 2 ** 20
const HELD_UPLOAD_BYTES = { ofOne: 4 * 2 ** 20, ofAll: 16 * 2 ** 20 }

/** Limits what keys send of session histories, separately from their other traffic. Every method throws TooMany. */
export type UploadTraffic = HeldBytes & {
  consumeRequest: (caller: Caller) => void
  consumeBytes: (caller: Caller, bytes: number) => void
}

export function createUploadTraffic(clock: Pick<Clock, 'ticks'>): UploadTraffic {
  const { consume } = createCharging(clock, 'uploaded')
  return {
    ...createHeldBytes(HELD_UPLOAD_BYTES),
    consumeRequest: ({ keyId }) => consume([{ id: `requests of ${keyId}`, amount: 1, perMinute: UPLOADS_PER_MINUTE }]),
    consumeBytes: ({ keyId }, bytes) =>
      consume([{ id: `bytes of ${keyId}`, amount: bytes, perMinute: UPLOADED_BYTES_PER_MINUTE }]),
  }
}
