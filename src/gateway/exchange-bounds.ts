import { AsyncLocalStorage } from 'node:async_hooks'
import { OutboundError } from '../errors.ts'
import { until } from '../outbound/until.ts'
import { MAX_ANSWER_VALUES } from './bounds.ts'
import { createValueCounter } from './count-values.ts'
import type { Room } from './room.ts'

/** What bounds one question to an upstream: the time in milliseconds, and the bytes of all its answers together. */
export type Bounds = { timeoutMs: number; maxBytes: number; signal?: AbortSignal | undefined; room?: Room | undefined }

/** One question on its way, which may take several requests. */
export type BoundedExchange = Bounds & {
  /** Aborted when the caller has given up or the time is over. */
  signal: AbortSignal
  /** Bytes of answers read so far. */
  bytes: number
  /** Takes a piece of an answer; to be waited for where it gives a promise. Throws OutboundError beyond a bound. */
  take: (chunk: Uint8Array) => Promise<void> | undefined
  /** A request begins. */
  began: () => void
  /** An answer has been read to its end. */
  ended: () => void
  /** No answer will come. */
  failed: (error: OutboundError) => void
}

/** How long after the end of an answer its result may still be on its way to us, or be asked for again by the id of an event. */
const RESULT_GRACE_MS = 2_000

/** For what the client sends on its own. */
const SMALL = { timeoutMs: 5_000, maxBytes: 65_536 }

/** The client in between knows neither bounds nor what became of a stream: they travel beside it. */
const current = new AsyncLocalStorage<BoundedExchange>()

/** The question a request is part of; for what the client sends on its own, a small one. */
export function currentExchange(): BoundedExchange {
  return current.getStore() ?? toAsking(SMALL, new AbortController().signal)
}

function toAsking(bounds: Bounds, signal: AbortSignal): BoundedExchange {
  const countValues = createValueCounter()
  let patience: ReturnType<typeof setTimeout> | undefined
  const asking: BoundedExchange = {
    ...bounds,
    signal,
    bytes: 0,
    take: (chunk) => {
      asking.bytes += chunk.length
      if (asking.bytes > bounds.maxBytes) throw new OutboundError('size', bounds.maxBytes)
      if (countValues(chunk) > MAX_ANSWER_VALUES) throw new OutboundError('size', MAX_ANSWER_VALUES, 'values')
      return bounds.room?.grow(asking.bytes)
    },
    began: () => clearTimeout(patience),
    ended: () => {
      clearTimeout(patience)
      patience = setTimeout(() => asking.failed(new OutboundError('broken')), RESULT_GRACE_MS)
    },
    failed: () => {},
  }
  return asking
}

/** Runs an act whose requests keep to the bounds. Throws OutboundError as soon as it is plain that no answer will come. */
export async function withBounds<T>(bounds: Bounds, act: (asking: BoundedExchange) => Promise<T>): Promise<T> {
  const end = until(bounds.signal, bounds.timeoutMs)
  const asking = toAsking(bounds, end.signal)
  const giveUp = () => asking.failed(end.signal.reason)
  end.signal.addEventListener('abort', giveUp)
  try {
    return await new Promise<T>((resolve, reject) => {
      asking.failed = reject
      current.run(asking, () => act(asking)).then(resolve, reject)
    })
  } finally {
    end.settle()
    end.signal.removeEventListener('abort', giveUp)
    asking.began()
    asking.ended = () => {}
    // A connection that stays open holds on to the question, which must not hold on to its answer.
    asking.failed = () => {}
  }
}
