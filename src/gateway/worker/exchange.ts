import { AsyncLocalStorage } from 'node:async_hooks'
import { OutboundError } from '../../errors.ts'
import { createDeadline, type Deadline } from '../../outbound/deadline.ts'
import { createValueCounter, MAX_ANSWER_VALUES } from './answer-limits.ts'
import type { Reservation } from './memory-budget.ts'

/** The time for one exchange, and the bytes of all its HTTP responses together. */
export type ExchangeBounds = {
  /** Time until the result, or until the next progress where there is `totalMs`, which then bounds the time until the result. */
  timeoutMs: number
  totalMs?: number | undefined
  maxBytes: number
  signal?: AbortSignal | undefined
  reservation?: Reservation | undefined
}

/** One JSON-RPC request to an upstream and its result, which may take several HTTP requests. */
export type Exchange = Pick<ExchangeBounds, 'maxBytes' | 'reservation'> & {
  /** Aborted when the caller has given up or the time is over. */
  signal: AbortSignal
  /** The time for each HTTP request; undefined where `signal` ends it. */
  timeoutMs: number | undefined
  /** Bytes received so far. */
  bytes: number
  /** To be called, and awaited, with each chunk before it is held. Throws OutboundError beyond a bound. */
  onChunk: (chunk: Uint8Array) => Promise<void> | undefined
  /** An HTTP request begins. */
  onRequest: () => void
  /** An HTTP response has been read to its end. */
  onResponseEnd: () => void
  /** The upstream has reported progress, and is waited for anew. */
  onProgress: () => void
  /** No result will come. */
  fail: (error: OutboundError) => void
}

/** How long after the end of a response its result may still be in the SDK's hands, or be asked for again by the id of its last event. */
const RESULT_GRACE_MS = 2_000

/** Bounds of requests that the SDK sends by itself. */
const SDK_BOUNDS: ExchangeBounds = { timeoutMs: 5_000, maxBytes: 65_536 }

/** The SDK between an exchange and its HTTP requests passes on neither bounds nor the end of a stream, so they travel in the asynchronous context. */
const current = new AsyncLocalStorage<Exchange>()

/** The exchange that the present HTTP request belongs to; one with small bounds for what the SDK sends by itself. */
export function currentExchange(): Exchange {
  return current.getStore() ?? createExchange(SDK_BOUNDS, { signal: new AbortController().signal, restart: () => {} }, SDK_BOUNDS.timeoutMs)
}

function createExchange(
  { maxBytes, reservation }: ExchangeBounds,
  { signal, restart }: Omit<Deadline, 'clear'>,
  timeoutMs?: number,
): Exchange {
  const countValues = createValueCounter()
  let graceTimer: ReturnType<typeof setTimeout> | undefined
  let reported = 0
  const exchange: Exchange = {
    maxBytes,
    reservation,
    signal,
    timeoutMs,
    bytes: 0,
    onChunk: (chunk) => {
      exchange.bytes += chunk.length
      if (exchange.bytes > maxBytes) throw new OutboundError('size', maxBytes)
      if (countValues(chunk) > MAX_ANSWER_VALUES) throw new OutboundError('size', MAX_ANSWER_VALUES, 'values')
      return reservation?.reserve(exchange.bytes - reported)
    },
    onProgress: () => {
      // What was read of reports is not held any more.
      reported = exchange.bytes
      // An answer that others wait for room for gets no more time.
      if (!reservation?.isHeld()) restart()
    },
    onRequest: () => clearTimeout(graceTimer),
    onResponseEnd: () => {
      clearTimeout(graceTimer)
      graceTimer = setTimeout(() => exchange.fail(new OutboundError('broken')), RESULT_GRACE_MS)
    },
    fail: () => {},
  }
  return exchange
}

/** Runs a JSON-RPC request whose HTTP requests keep to the bounds. Throws OutboundError as soon as it is certain that no result will come. */
export async function runExchange<T>(bounds: ExchangeBounds, send: (exchange: Exchange) => Promise<T>): Promise<T> {
  const deadline = createDeadline(bounds.signal, bounds.timeoutMs, bounds.totalMs)
  const exchange = createExchange(bounds, deadline)
  const giveUp = () => exchange.fail(deadline.signal.reason)
  deadline.signal.addEventListener('abort', giveUp)
  try {
    return await new Promise<T>((resolve, reject) => {
      exchange.fail = reject
      current.run(exchange, () => send(exchange)).then(resolve, reject)
    })
  } finally {
    deadline.clear()
    deadline.signal.removeEventListener('abort', giveUp)
    exchange.onRequest()
    exchange.onResponseEnd = () => {}
    exchange.onProgress = () => {}
    // A connection that stays open holds on to the exchange, which must not hold on to its result.
    exchange.fail = () => {}
  }
}
