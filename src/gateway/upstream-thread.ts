import type { FromWorker, ToWorker } from './messages.ts'

/** The worker thread of `UpstreamWorker`: its start, its end, and what to do if it does not answer. */
export type UpstreamThread = {
  /** The running thread, started now if there is none. */
  ensure: () => Worker
  /** The running thread. A different one means that the earlier one, with everything in it, is gone. */
  current: () => Worker | undefined
  /** Posts a message; dropped if no thread runs. */
  post: (message: ToWorker) => void
  /** Terminates a thread that does not answer a ping. To be called after a request has timed out. */
  checkAlive: (suspect: Worker) => void
  /** Lets the thread end by itself, or terminates it after 2 seconds. */
  close: () => Promise<void>
}

/** `died` is called when a thread has ended without being closed: it answers nothing any more. */
type Handlers = { received: (message: FromWorker) => void; died: (reason: string) => void }

/** After this time without an answer to a ping a thread is terminated as stuck. */
const STUCK_MS = 30_000

export function createUpstreamThread(url: URL, allow: string[], { received, died }: Handlers): UpstreamThread {
  let worker: Worker | undefined
  let lastMessageAt = 0
  let stuckTimer: ReturnType<typeof setTimeout> | undefined

  function start(): Worker {
    const started = new Worker(url.href, { smol: true })
    started.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      lastMessageAt = performance.now()
      received(data)
    }
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
    died(reason)
    dead.terminate()
  }

  return {
    ensure: () => {
      worker ??= start()
      return worker
    },
    current: () => worker,
    post: (message) => post(worker, message),
    checkAlive: (suspect) => {
      if (stuckTimer !== undefined) return
      const pingedAt = performance.now()
      post(suspect, { kind: 'ping' })
      stuckTimer = setTimeout(() => {
        stuckTimer = undefined
        if (lastMessageAt < pingedAt) handleDeath(suspect, 'it was stuck')
      }, STUCK_MS)
      stuckTimer.unref()
    },
    close: async () => {
      clearTimeout(stuckTimer)
      const closing = worker
      worker = undefined
      if (closing !== undefined) await endWorker(closing, () => post(closing, { kind: 'close' }))
    },
  }
}

function post(worker: Worker | undefined, message: ToWorker): void {
  worker?.postMessage(message)
}

const CLOSE_TIMEOUT_MS = 2_000

/** Asks a worker to close, by `ask`. Resolves when it has ended by itself, or was terminated for taking too long. */
async function endWorker(worker: Worker, ask: () => void): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  worker.addEventListener('close', () => resolve())
  const timer = setTimeout(() => {
    worker.terminate()
    resolve()
  }, CLOSE_TIMEOUT_MS)
  ask()
  await ended
  clearTimeout(timer)
}
