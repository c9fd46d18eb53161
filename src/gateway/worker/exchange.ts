import { AsyncLocalStorage } from 'node:async_hooks'
import { createDeadline, type Deadline } from '../../outbound/deadline.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { Reservation } from './open-requests.ts'

/** Bounds of one exchange: its time, and the bytes of all its HTTP responses together. */
type ExchangeBounds = {
  /**
   * Time until the result or, with `totalMs`, until the next progress report; `totalMs` then bounds the time until the
   * result.
   */
  timeoutMs: number
  totalMs?: number | undefined
  maxBytes: number
  signal?: AbortSignal | undefined
  reservation?: Reservation | undefined
}

/** One JSON-RPC request to an upstream and its result, which may take several HTTP requests. */
export type Exchange = Pick<ExchangeBounds, 'maxBytes' | 'reservation'> & {
  /** Aborted when the caller gives up or the time is over. */
  signal: AbortSignal
  /** Time limit of each HTTP request; undefined if `signal` ends it. */
  timeoutMs: number | undefined
  /** Bytes received so far. */
  bytes: number
  /** To be called, and awaited, with each chunk before it is held. Throws OutboundError beyond a bound. */
  onChunk: (chunk: Uint8Array) => Promise<void> | undefined
  /** An HTTP request begins. */
  onRequest: () => void
  /** An HTTP response has been read to its end. */
  onResponseEnd: () => void
  /** The upstream has reported progress, which restarts the time limit. */
  onProgress: () => void
  /** No result will come. */
  fail: (error: OutboundError) => void
}

/**
 * How long after the end of a response the SDK may still be processing its result, or requesting it again by the id of
 * the last event.
 */
const RESULT_GRACE_MS = 2_000

/** Bounds of requests that the SDK sends by itself. */
const SDK_BOUNDS: ExchangeBounds = { timeoutMs: 5_000, maxBytes: 65_536 }

/**
 * The SDK passes neither bounds nor the end of a stream from an exchange to its HTTP requests, so they travel in the
 * asynchronous context.
 */
const current = new AsyncLocalStorage<Exchange>()

/** The exchange of the present HTTP request; for requests that the SDK sends by itself, one with small bounds. */
export function currentExchange(): Exchange {
  return (
    current.getStore() ??
    createExchange(SDK_BOUNDS, { signal: new AbortController().signal, restart: () => {} }, SDK_BOUNDS.timeoutMs)
  )
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
      // Bytes of progress reports are no longer held.
      reported = exchange.bytes
      // An answer that holds a permit others wait for gets no more time.
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

/**
 * Runs a JSON-RPC request whose HTTP requests keep to the bounds. Throws OutboundError as soon as it is certain that no
 * result will come.
 */
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

/** Maximum size of an upstream's answer in bytes, whatever an integration allows. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/**
 * Maximum number of JSON values, or lines of an event stream, in one answer: parsed objects take many times the memory
 * of their text.
 */
export const MAX_ANSWER_VALUES = 250_000

/**
 * Maximum size of an event of the older SSE transport, whose answers share one stream that cannot be paused for one of
 * them.
 */
export const MAX_EVENT_BYTES = 1024 * 1024

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, LINE_FEED, RETURN] = Buffer.from('"\\,[{\n\r')

/**
 * Counts JSON values in bytes as they arrive: each call takes the next chunk and returns the count so far. Counts
 * opening brackets and commas outside of strings, and line breaks, which separate the fields of an event stream; the
 * result may be slightly too high, never too low. A line break ends any open string, since JSON strings cannot contain
 * one, so text on one line of a stream does not affect the next.
 */
export function createValueCounter(): (chunk: Uint8Array) => number {
  let isString = false
  let isEscaped = false
  let count = 0
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === LINE_FEED || byte === RETURN) {
        isString = false
        isEscaped = false
        count += 1
      } else if (isEscaped) isEscaped = false
      else if (byte === QUOTE) isString = !isString
      else if (isString) isEscaped = byte === BACKSLASH
      else if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1
    }
    return count
  }
}

/** Counts the JSON values of a complete text. */
export function countJsonValues(text: string): number {
  return createValueCounter()(Buffer.from(text))
}
