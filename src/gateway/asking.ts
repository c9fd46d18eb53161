import { AsyncLocalStorage } from 'node:async_hooks'
import { OutboundError } from '../errors.ts'
import { until } from '../outbound/until.ts'

/** What bounds one question to an upstream. Times in milliseconds. */
export type Bounds = { timeoutMs: number; maxBytes: number; signal?: AbortSignal | undefined }

/** One question on its way, which may take several requests. */
export type Asking = Bounds & {
  /** Aborted when the caller has given up or the time is over. */
  signal: AbortSignal
  /** Bytes of answers read so far. */
  bytes: number
  /** A request begins. */
  began: () => void
  /** An answer has been read to its end. */
  ended: () => void
  /** No answer will come. */
  failed: (error: OutboundError) => void
}

/** How long after the end of an answer its result may still be on its way to us, or be asked for again by the id of an event. */
const PATIENCE = 2_000

const SMALL = { timeoutMs: 5_000, maxBytes: 65_536, bytes: 0, began: () => {}, ended: () => {}, failed: () => {} }

/** The client in between knows neither bounds nor what became of a stream: they travel beside it. */
const current = new AsyncLocalStorage<Asking>()

/** The question a request is part of; for what the client sends on its own, a small one. */
export function currentAsking(): Asking {
  return current.getStore() ?? { ...SMALL, signal: new AbortController().signal }
}

/** Runs an act whose requests keep to the bounds. Throws OutboundError as soon as it is plain that no answer will come. */
export async function ask<T>(bounds: Bounds, act: (asking: Asking) => Promise<T>): Promise<T> {
  const lost = Promise.withResolvers<never>()
  const end = until(bounds.signal, bounds.timeoutMs)
  let patience: ReturnType<typeof setTimeout> | undefined
  const asking: Asking = {
    ...bounds,
    signal: end.signal,
    bytes: 0,
    began: () => clearTimeout(patience),
    ended: () => {
      clearTimeout(patience)
      patience = setTimeout(() => lost.reject(new OutboundError('broken')), PATIENCE)
    },
    failed: lost.reject,
  }
  end.signal.addEventListener('abort', () => lost.reject(end.signal.reason))
  const acted = current.run(asking, () => act(asking))
  // Whichever comes second has no listener any more.
  acted.catch(() => {})
  lost.promise.catch(() => {})
  try {
    return await Promise.race([acted, lost.promise])
  } finally {
    end.settle()
    clearTimeout(patience)
    asking.ended = () => {}
  }
}
