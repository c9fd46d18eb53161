import type { Outbound } from '../../outbound/outbound.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { Headers as Credentials } from '../credentials.ts'
import { createValueCounter, currentExchange, type Exchange, MAX_ANSWER_VALUES, MAX_EVENT_BYTES } from './exchange.ts'

/**
 * A fetch for the SDK: it sends the integration's credential only to the integration's origin, and enforces the bounds
 * of the exchange.
 */
type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

type Target = { outbound: Outbound; url: string; headers: Credentials }

/**
 * The fetch of Streamable HTTP. The standing stream for notifications is refused, because lists of tools are refreshed
 * by age.
 */
export function createStreamableFetch(target: Target): GuardedFetch {
  return async (url, init = {}) => {
    if (init.method === 'GET' && !new Headers(init.headers).has('last-event-id'))
      return new Response(null, { status: 405 })
    const exchange = currentExchange()
    exchange.onRequest()
    return failing(exchange, async () => {
      const response = await send(target, url, init, exchange)
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        return new Response(watchEnd(response.body, exchange), { status: response.status, headers: response.headers })
      }
      exchange.reservation?.collectGarbage()
      exchange.onResponseEnd()
      return response
    })
  }
}

/** Runs `act`, and tells the exchange if it fails by an OutboundError. */
async function failing<Result>(exchange: Exchange, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof OutboundError) exchange.fail(error)
    throw error
  }
}

/** The fetch of the older transport: results arrive as events on one stream that stays open, each of bounded size. */
export function createEventStreamFetch(target: Target): GuardedFetch {
  const allowance = createStreamAllowance(MAX_EVENT_BYTES)
  return async (url, init = {}) => {
    const exchange = currentExchange()
    return failing(exchange, async () => {
      if (init.method === 'POST') {
        allowance.addResult()
        return send(target, url, init, exchange)
      }
      const bounds = { timeoutMs: undefined, maxBytes: Number.POSITIVE_INFINITY, onChunk: allowance.onChunk }
      const stream = await send(target, url, init, bounds)
      return new Response(stream.body && boundEvents(stream.body, MAX_EVENT_BYTES), {
        status: stream.status,
        headers: stream.headers,
      })
    })
  }
}

/** Maximum number of requests whose results add to the allowance of a stream. */
const MAX_OUTSTANDING = 128

/**
 * The bytes and JSON values that may arrive on a standing stream: those of one result for each request, and of one more
 * for everything that the server sends unasked. A server that exceeds them is disconnected with an OutboundError.
 */
function createStreamAllowance(resultBytes: number) {
  const countValues = createValueCounter()
  let [bytes, values, counted] = [resultBytes, MAX_ANSWER_VALUES, 0]
  return {
    addResult: () => {
      bytes = Math.min(bytes + resultBytes, MAX_OUTSTANDING * resultBytes)
      values = Math.min(values + MAX_ANSWER_VALUES, MAX_OUTSTANDING * MAX_ANSWER_VALUES)
    },
    onChunk: (chunk: Uint8Array) => {
      const before = counted
      counted = countValues(chunk)
      bytes -= chunk.length
      values -= counted - before
      if (bytes < 0) throw new OutboundError('size', resultBytes)
      if (values < 0) throw new OutboundError('size', MAX_ANSWER_VALUES, 'values')
      return undefined
    },
  }
}

type RequestBounds = {
  timeoutMs: number | undefined
  maxBytes: number
  signal?: AbortSignal | undefined
  onChunk: Exchange['onChunk']
}

async function send(
  { outbound, url, headers }: Target,
  to: string | URL,
  init: RequestInit,
  { timeoutMs, maxBytes, signal, onChunk }: RequestBounds,
): Promise<Response> {
  if (new URL(to).origin !== new URL(url).origin) throw new OutboundError('address')
  const all = init.headers instanceof Headers ? init.headers : new Headers(init.headers)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  return outbound.fetch(to, {
    method: init.method as 'GET' | 'POST' | 'DELETE',
    headers: all,
    body: init.body as string | undefined,
    signal: signal ?? init.signal,
    timeoutMs,
    maxBytes,
    onChunk,
  })
}

/** Forwards a stream, and tells the exchange how it ended. */
function watchEnd(body: ReadableStream<Uint8Array> | null, exchange: Exchange): ReadableStream<Uint8Array> | null {
  const reader = body?.getReader()
  if (reader === undefined) return null
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { value, done } = await reader.read()
        if (!done) return controller.enqueue(value)
        exchange.onResponseEnd()
        controller.close()
      } catch (error) {
        if (error instanceof OutboundError) exchange.fail(error)
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Forwards an endless event stream, bounding the size of each event. An empty line ends an event. */
function boundEvents(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let tail = ''
  let length = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const text = tail + Buffer.from(chunk).toString('latin1')
      const end = Math.max(...['\n\n', '\r\r', '\r\n\r\n'].map((ending) => text.lastIndexOf(ending)))
      length = end < 0 ? length + chunk.length : text.length - end
      // An ending of up to four bytes may be split between chunks.
      tail = text.slice(-3)
      if (length > maxBytes) controller.error(new OutboundError('size', maxBytes))
      else controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(bound)
}
