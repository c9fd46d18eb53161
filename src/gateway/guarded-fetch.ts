import { OutboundError } from '../errors.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { MAX_ANSWER_VALUES, MAX_EVENT_BYTES } from './bounds.ts'
import { createValueCounter } from './count-values.ts'
import { type BoundedExchange, currentExchange } from './exchange-bounds.ts'
import type { Headers as Credentials } from './secret.ts'

/** A fetch as the SDK calls it. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

type Given = { outbound: Outbound; url: string; headers: Credentials }

/** The door for Streamable HTTP. Adds the credential, keeps to the bounds of the question, and leaves the stream for news closed: lists are asked for when they are old. */
export function createStreamableFetch(given: Given): GuardedFetch {
  return async (url, init = {}) => {
    if (init.method === 'GET' && !new Headers(init.headers).has('last-event-id')) return new Response(null, { status: 405 })
    const asking = currentExchange()
    asking.began()
    try {
      const response = await send(given, url, init, asking)
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        return new Response(watch(response.body, asking), { status: response.status, headers: response.headers })
      }
      asking.room?.tidy()
      asking.ended()
      return response
    } catch (error) {
      if (error instanceof OutboundError) asking.failed(error)
      throw error
    }
  }
}

/** The door for the older transport of two endpoints: answers come one by one on a stream that stays open, each within the bound. */
export function createEventStreamFetch(given: Given): GuardedFetch {
  const allowance = createAllowance(MAX_EVENT_BYTES)
  return async (url, init = {}) => {
    const asking = currentExchange()
    try {
      if (init.method === 'POST') {
        allowance.raise()
        return await send(given, url, init, asking)
      }
      const open = { timeoutMs: undefined, maxBytes: Number.POSITIVE_INFINITY, take: allowance.take }
      const stream = await send(given, url, init, open)
      return new Response(stream.body && boundEvents(stream.body, MAX_EVENT_BYTES), { status: stream.status, headers: stream.headers })
    } catch (error) {
      if (error instanceof OutboundError) asking.failed(error)
      throw error
    }
  }
}

/** Most questions whose answers a stream may still owe. */
const MAX_OWED = 128

/**
 * What may come on a stream that stays open: an answer for each question, and one more for all else that its server says between two of them.
 * One that sends without being asked is cut off.
 */
function createAllowance(answerBytes: number) {
  const countValues = createValueCounter()
  let [bytes, values, counted] = [answerBytes, MAX_ANSWER_VALUES, 0]
  return {
    raise: () => {
      bytes = Math.min(bytes + answerBytes, MAX_OWED * answerBytes)
      values = Math.min(values + MAX_ANSWER_VALUES, MAX_OWED * MAX_ANSWER_VALUES)
    },
    take: (chunk: Uint8Array) => {
      const before = counted
      counted = countValues(chunk)
      bytes -= chunk.length
      values -= counted - before
      if (bytes < 0) throw new OutboundError('size', answerBytes)
      if (values < 0) throw new OutboundError('size', MAX_ANSWER_VALUES, 'values')
      return undefined
    },
  }
}

type Until = { timeoutMs: number | undefined; maxBytes: number; signal?: AbortSignal | undefined; take: BoundedExchange['take'] }

/** The credential goes to the integration's own origin and nowhere else. */
function send(
  { outbound, url, headers }: Given,
  to: string | URL,
  init: RequestInit,
  { timeoutMs, maxBytes, signal, take }: Until,
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
    onChunk: take,
  })
}

/** Tells the question what becomes of its stream. */
function watch(body: ReadableStream<Uint8Array> | null, asking: BoundedExchange): ReadableStream<Uint8Array> | null {
  const reader = body?.getReader()
  if (reader === undefined) return null
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { value, done } = await reader.read()
        if (!done) return controller.enqueue(value)
        asking.ended()
        controller.close()
      } catch (error) {
        if (error instanceof OutboundError) asking.failed(error)
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** A stream without end whose single events are bounded: an empty line ends one. */
function boundEvents(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let tail = ''
  let length = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const text = tail + Buffer.from(chunk).toString('latin1')
      const end = Math.max(...['\n\n', '\r\r', '\r\n\r\n'].map((ending) => text.lastIndexOf(ending)))
      length = end < 0 ? length + chunk.length : text.length - end
      tail = text.slice(-3)
      if (length > maxBytes) controller.error(new OutboundError('size', maxBytes))
      else controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(bound)
}
