import { OutboundError } from '../errors.ts'
import type { LargeText } from '../jsonrpc.ts'
import type { UpstreamThread } from './upstream-thread.ts'

/**
 * Large results, whose texts stay in the worker thread and are pulled from there in chunks, as fast as the client
 * reads.
 */
type LargeResults = {
  /** The result of a request. It takes memory until `signal` is aborted or reading it has taken too long. */
  open: (id: number, signal: AbortSignal) => LargeText
  /** Passes a chunk on to its reader; undefined after the last one. */
  receive: (id: number, chunk: Uint8Array | undefined) => void
  /** Fails every pull that has no answer yet, as the thread has ended. */
  rejectAll: () => void
}

/** How long a large result may be kept in memory, however slowly its client reads it. */
const MAX_READING_MS = 60_000

export function createLargeResults(thread: UpstreamThread): LargeResults {
  const pulls = new Map<number, PromiseWithResolvers<Uint8Array | undefined>>()

  async function pull(id: number, holder: Worker | undefined): Promise<Uint8Array | undefined> {
    if (holder === undefined || thread.current() !== holder) throw new OutboundError('broken')
    const waiting = Promise.withResolvers<Uint8Array | undefined>()
    pulls.set(id, waiting)
    thread.post({ kind: 'pull', id })
    try {
      return await waiting.promise
    } finally {
      pulls.delete(id)
    }
  }

  return {
    open: (id, signal) => {
      const holder = thread.current()
      let isReleased = false
      const release = () => {
        isReleased = true
        clearTimeout(timer)
        signal.removeEventListener('abort', release)
        thread.post({ kind: 'release', id })
        pulls.get(id)?.reject(new OutboundError('cancelled'))
      }
      const timer = setTimeout(release, MAX_READING_MS)
      timer.unref()
      if (signal.aborted) release()
      else signal.addEventListener('abort', release)
      const read = async () => {
        // The thread answers a pull of what is released as if the text had ended.
        if (isReleased) throw new OutboundError('cancelled')
        return pull(id, holder)
      }
      return { before: '', after: '}', read }
    },
    receive: (id, chunk) => pulls.get(id)?.resolve(chunk),
    rejectAll: () => {
      for (const { reject } of pulls.values()) reject(new OutboundError('broken'))
    },
  }
}
