import type { LargeText, ResultText } from '../jsonrpc.ts'
import type { Log } from '../log.ts'
import { createDeadline } from '../outbound/deadline.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import {
  type CallRequest,
  type CallResult,
  type FromWorker,
  type ListRequest,
  type ListResult,
  UpstreamFailure,
  type UpstreamRequest,
  type UpstreamResult,
} from './messages.ts'
import { MAX_CALL_MS, type OnProgress } from './progress.ts'
import { createUpstreamThread, type UpstreamThread } from './upstream-thread.ts'

/**
 * The worker thread that calls upstreams. What they send is read, parsed, inspected and rendered there, so it never
 * blocks the service's event loop. It is started by the first request, and again by the next one after it has died.
 */
export type UpstreamWorker = {
  /**
   * Throws UpstreamFailure for failures of the upstream, OutboundError if the worker died or did not answer in time.
   */
  list: (request: ListRequest) => Promise<ListResult>
  /** Throws like `list`. A large result takes memory until `signal` is aborted. */
  call: (request: CallRequest, signal: AbortSignal, onProgress?: OnProgress) => Promise<CallOutcome>
  /**
   * Returns a new connection id. `onListChanged` is called when its upstream notifies that its list of tools has
   * changed.
   */
  register: (onListChanged: () => void) => number
  /** Closes the connection of an id that is not used any more. */
  unregister: (connectionId: number) => void
  /** Ends sessions and the worker, within 2 seconds. */
  close: () => Promise<void>
}

/** The result of `tools/call`, and the bytes that it was read from. */
export type CallOutcome = ResultText & { isError: boolean; bytes: number }

/** How much longer than the request's own time limit the service waits for a result. */
const GRACE_MS = 5_000

/** `url` is the worker's entry file. */
export function createUpstreamWorker(url: URL, allow: string[], log: Log): UpstreamWorker {
  const requests = new Map<number, PromiseWithResolvers<UpstreamResult>>()
  const progressListeners = new Map<number, OnProgress>()
  const listeners = new Map<number, () => void>()
  const thread = createUpstreamThread(url, allow, { received: handleMessage, died: handleDeath })
  const largeResults = createLargeResults(thread)
  let lastId = 0

  function handleDeath(reason: string): void {
    log('the worker of upstreams died', { requests: requests.size, reason })
    rejectAll()
  }

  function rejectAll(): void {
    for (const { reject } of requests.values()) reject(new OutboundError('broken'))
    largeResults.rejectAll()
  }

  function handleMessage(message: FromWorker): void {
    if (message.kind === 'list-changed') listeners.get(message.connectionId)?.()
    if (message.kind === 'result') requests.get(message.id)?.resolve(message.result)
    if (message.kind === 'progress') progressListeners.get(message.id)?.(message.progress)
    if (message.kind === 'chunk') largeResults.receive(message.id, message.chunk)
    if (message.kind !== 'failure') return
    const { failure, isUnknownTool, transport, revision } = message
    requests.get(message.id)?.reject(new UpstreamFailure(failure, isUnknownTool, { transport, revision }))
  }

  async function send(
    request: UpstreamRequest,
    signal?: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<{ id: number; result: UpstreamResult }> {
    if (signal?.aborted) throw new OutboundError('cancelled')
    const receiver = thread.ensure()
    lastId += 1
    const id = lastId
    const timeoutMs = request.target.timeoutMs + GRACE_MS
    const deadline = createDeadline(signal, timeoutMs, onProgress === undefined ? timeoutMs : MAX_CALL_MS + GRACE_MS)
    const waiting = Promise.withResolvers<UpstreamResult>()
    const giveUp = () => {
      if (deadline.signal.reason.code === 'timeout') thread.checkAlive(receiver)
      waiting.reject(deadline.signal.reason)
    }
    deadline.signal.addEventListener('abort', giveUp, { once: true })
    requests.set(id, waiting)
    if (onProgress !== undefined)
      progressListeners.set(id, (progress) => {
        deadline.restart()
        onProgress(progress)
      })
    thread.post({ kind: 'request', id, request })
    try {
      return { id, result: await waiting.promise }
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) thread.post({ kind: 'release', id })
      throw error
    } finally {
      requests.delete(id)
      progressListeners.delete(id)
      deadline.clear()
    }
  }

  return {
    list: async (request) => (await send(request)).result as ListResult,
    call: async (request, signal, onProgress) => {
      const { id, result } = (await send(request, signal, onProgress)) as { id: number; result: CallResult }
      const { text, meta, isError, bytes } = result
      return { text: text ?? largeResults.open(id, signal), meta, isError, bytes }
    },
    register: (onListChanged) => {
      lastId += 1
      listeners.set(lastId, onListChanged)
      return lastId
    },
    unregister: (connectionId) => {
      listeners.delete(connectionId)
      thread.post({ kind: 'disconnect', connectionId })
    },
    close: () => {
      rejectAll()
      return thread.close()
    },
  }
}

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

function createLargeResults(thread: UpstreamThread): LargeResults {
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
