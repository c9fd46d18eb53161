import type { Clock } from '../../clock.ts'
import { TooMany } from '../../errors.ts'
import type { Caller } from '../auth/caller.ts'
import { limitsOf } from './plan.ts'
import { type Charge, createRateLimiter } from './rate-limiter.ts'

/** Bodies up to this size are light: they are read before anything is counted, so that what they ask for is known. */
export const LIGHT_BODY_BYTES = 16_384

/** Messages other than calls, for each call of the plan: a client that holds no session open sends three before each. */
const MESSAGES_PER_CALL = 4
const MIN_MESSAGES = 600
/** Bytes for each call of the plan: four times the largest content, which escapes of JSON make up to three times as long. */
const BYTES_PER_CALL = 262_144
const MIN_BYTES = 16 * 2 ** 20
/** More than a line of a gigabit a second carries in a minute. */
const MAX_BYTES = 8 * 2 ** 30
/** `tools/list` for a key whose other messages, or those of its address, have used up what there was. */
const RESERVED_LISTS = 60

/** Bytes of bodies that are not light and still wait for their answer: of one sender, and of all. */
const MAX_HELD_OF_ONE_BYTES = 8 * 2 ** 20
const MAX_HELD_BYTES = 64 * 2 ** 20
/** When room is likely to be free again, in seconds. */
const HELD_RETRY_S = 1

/** What a message is to its sender's allowance. */
export type MessageKind = 'call' | 'list' | 'other'

/**
 * How much callers may send, besides the contract's windows, which count calls: messages that are no calls, and bytes of all, by key and
 * by the address that the keys of an account come from. Every method throws TooMany.
 */
export type Traffic = {
  /** Counts a body that is not light, before it is read. */
  takeBody: (caller: Caller, bytes: number) => void
  /** Counts a message that was read. `bytes` of a light body, 0 of one counted before. */
  takeMessage: (caller: Caller, kind: MessageKind, bytes: number) => void
  /** Makes room in memory for a body that is not light, until the returned function is called. `sender` is a key, or a member. */
  hold: (sender: string, bytes: number) => () => void
}

export function createTraffic(clock: Pick<Clock, 'ticks'>): Traffic {
  const limiter = createRateLimiter()
  const heldBy = new Map<string, number>()
  let held = 0

  function take(charges: Charge[]): void {
    const wait = limiter.consume(charges, clock.ticks())
    if (wait > 0) throw new TooMany(Math.ceil(wait / 1000), 'too much was sent in the last 60 s')
  }

  function release(sender: string, bytes: number): void {
    held -= bytes
    const rest = (heldBy.get(sender) ?? 0) - bytes
    if (rest === 0) heldBy.delete(sender)
    else heldBy.set(sender, rest)
  }

  return {
    takeBody: (caller, bytes) => take(toCharges(caller, 'bytes', bytes)),
    takeMessage: (caller, kind, bytes) => {
      // A light call is counted by its key alone: the contract's windows bound it by key and project, and most requests are one.
      if (kind === 'call') return bytes === 0 ? undefined : take([toKeyCharge(caller, 'bytes', bytes)])
      const charges = [...toCharges(caller, 'messages', 1), ...toCharges(caller, 'bytes', bytes)]
      if (kind === 'other') return take(charges)
      if (limiter.consume(charges, clock.ticks()) > 0) take([{ id: `lists of ${caller.keyId}`, amount: 1, perMinute: RESERVED_LISTS }])
    },
    hold: (sender, bytes) => {
      const ofOne = (heldBy.get(sender) ?? 0) + bytes
      if (ofOne > MAX_HELD_OF_ONE_BYTES || held + bytes > MAX_HELD_BYTES) throw new TooMany(HELD_RETRY_S, 'too many large bodies at once')
      heldBy.set(sender, ofOne)
      held += bytes
      return () => release(sender, bytes)
    },
  }
}

type Kind = 'messages' | 'bytes'

/** A charge by key, and one by the address that keys of the account come from. */
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
