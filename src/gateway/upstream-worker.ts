import { OutboundError } from '../errors.ts'
import type { LargeText, ResultText } from '../jsonrpc.ts'
import type { Log } from '../log.ts'
import { readAllowed } from '../outbound/address.ts'
import { createDeadline } from '../outbound/deadline.ts'
import { endWorker } from './end-worker.ts'
import { UpstreamFailure } from './failure.ts'
import type { CallRequest, CallResult, FromWorker, ListRequest, ListResult, ToWorker, UpstreamRequest, UpstreamResult } from './messages.ts'
import { MAX_CALL_MS, type OnProgress } from './progress.ts'

/**
 * The worker thread that calls upstreams. What they send is read, parsed, inspected and rendered there, so it never blocks the service's event loop. It is
 * started by the first request, and again by the next one after it has died.
 */
export type UpstreamWorker = {
  /** Throws UpstreamFailure for failures of the upstream, OutboundError if the worker died or did not answer in time. */
  list: (request: ListRequest) => Promise<ListResult>
  /** Throws like `list`. A large result takes memory until `signal` is aborted. */
  call: (request: CallRequest, signal: AbortSignal, onProgress?: OnProgress) => Promise<CallOutcome>
  /** Returns a new connection id. `onListChanged` is called when its upstream notifies that its list of tools has changed. */
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
/** After this time without an answer to a ping a worker is terminated as stuck. */
const STUCK_MS = 30_000
/** How long a large result may be kept in memory, however slowly its client reads it. */
const MAX_READING_MS = 60_000

type Waiting<T> = { resolve: (value: T) => void; reject: (error: Error) => void }

/** `url` is the worker's entry file. Throws a Refusal that names a wrong entry of `allow`. */
export function createUpstreamWorker(url: URL, allow: string[], log: Log): UpstreamWorker {
  readAllowed(allow)
  const requests = new Map<number, Waiting<UpstreamResult>>()
  const progressListeners = new Map<number, OnProgress>()
  const pulls = new Map<number, Waiting<Uint8Array | undefined>>()
  const listeners = new Map<number, () => void>()
  let worker: Worker | undefined
  let lastId = 0
  let lastMessageAt = 0
  let stuckTimer: ReturnType<typeof setTimeout> | undefined

  function start(): Worker {
    const started = new Worker(url.href, { smol: true })
    started.onmessage = ({ data }: MessageEvent<FromWorker>) => handleMessage(data)
    started.onerror = (event) => {
      event.preventDefault()
      handleDeath(started, event.message)
    }
    started.addEventListener('close', () => handleDeath(started, 'it ended'))
    started.unref()
    post(started, { kind: 'configure', allow })
    return started
  }

  function handleDeath(dead: Worker, reason: string): void {
    if (worker !== dead) return
    worker = undefined
    log('the worker of upstreams died', { requests: requests.size, reason })
    rejectAll()
    dead.terminate()
  }

  function rejectAll(): void {
    const waiting = [...requests.values(), ...pulls.values()]
    requests.clear()
    pulls.clear()
    for (const { reject } of waiting) reject(new OutboundError('broken'))
  }

  function handleMessage(message: FromWorker): void {
    lastMessageAt = performance.now()
    if (message.kind === 'list-changed') listeners.get(message.connectionId)?.()
    if (message.kind === 'result') requests.get(message.id)?.resolve(message.result)
    if (message.kind === 'progress') progressListeners.get(message.id)?.(message.progress)
    if (message.kind === 'chunk') pulls.get(message.id)?.resolve(message.chunk)
    if (message.kind !== 'failure') return
    const { failure, isUnknownTool, transport, revision } = message
    requests.get(message.id)?.reject(new UpstreamFailure(failure, isUnknownTool, { transport, revision }))
  }

  /** Terminates a worker that does not answer a ping. Called after a request has timed out. */
  function checkAlive(suspect: Worker): void {
    if (stuckTimer !== undefined) return
    const pingedAt = performance.now()
    post(suspect, { kind: 'ping' })
    stuckTimer = setTimeout(() => {
      stuckTimer = undefined
      if (lastMessageAt < pingedAt) handleDeath(suspect, 'it was stuck')
    }, STUCK_MS)
    stuckTimer.unref()
  }

  async function send(
    request: UpstreamRequest,
    signal?: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<{ id: number; result: UpstreamResult }> {
    worker ??= start()
    const receiver = worker
    lastId += 1
    const id = lastId
    const timeoutMs = request.target.timeoutMs + GRACE_MS
    const deadline = createDeadline(signal, timeoutMs, onProgress === undefined ? timeoutMs : MAX_CALL_MS + GRACE_MS)
    const waiting = Promise.withResolvers<UpstreamResult>()
    const giveUp = () => {
      if (deadline.signal.reason.code === 'timeout') checkAlive(receiver)
      waiting.reject(deadline.signal.reason)
    }
    if (deadline.signal.aborted) giveUp()
    else deadline.signal.addEventListener('abort', giveUp, { once: true })
    requests.set(id, waiting)
    if (onProgress !== undefined)
      progressListeners.set(id, (progress) => {
        deadline.restart()
        onProgress(progress)
      })
    post(receiver, { kind: 'request', id, request })
    try {
      return { id, result: await waiting.promise }
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) post(worker, { kind: 'release', id })
      throw error
    } finally {
      requests.delete(id)
      progressListeners.delete(id)
      deadline.clear()
    }
  }

  /** A large result, whose text stays in the worker until `signal` is aborted or reading it has taken too long. */
  function toLargeText(id: number, signal: AbortSignal): LargeText {
    const holder = worker
    const release = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', release)
      post(worker, { kind: 'release', id })
      pulls.get(id)?.reject(new OutboundError('cancelled'))
    }
    const timer = setTimeout(release, MAX_READING_MS)
    timer.unref()
    if (signal.aborted) release()
    else signal.addEventListener('abort', release)
    return { before: '', after: '}', read: () => pull(id, holder) }
  }

  async function pull(id: number, holder: Worker | undefined): Promise<Uint8Array | undefined> {
    if (holder === undefined || worker !== holder) throw new OutboundError('broken')
    const waiting = Promise.withResolvers<Uint8Array | undefined>()
    pulls.set(id, waiting)
    post(holder, { kind: 'pull', id })
    try {
      return await waiting.promise
    } finally {
      pulls.delete(id)
    }
  }

  return {
    list: async (request) => (await send(request)).result as ListResult,
    call: async (request, signal, onProgress) => {
      const { id, result } = (await send(request, signal, onProgress)) as { id: number; result: CallResult }
      const { text, meta, isError, bytes } = result
      return { text: text ?? toLargeText(id, signal), meta, isError, bytes }
    },
    register: (onListChanged) => {
      lastId += 1
      listeners.set(lastId, onListChanged)
      return lastId
    },
    unregister: (connectionId) => {
      listeners.delete(connectionId)
      post(worker, { kind: 'disconnect', connectionId })
    },
    close: async () => {
      clearTimeout(stuckTimer)
      const closing = worker
      worker = undefined
      rejectAll()
      if (closing !== undefined) await endWorker(closing, () => post(closing, { kind: 'close' }))
    },
  }
}

function post(worker: Worker | undefined, message: ToWorker): void {
  worker?.postMessage(message)
}
