import type { Machine } from '../source.ts'
import type { SyncDatabase } from './database.ts'
import { findHolder, holdLease, releaseLease } from './lease.ts'
import { nameOf, type Target } from './target.ts'
import type { FromWorker, ToWorker } from './worker/start-uploads.ts'

export type Uploader = NonNullable<ReturnType<typeof startUploader>>

type UploaderOptions = {
  machine: Machine
  /** The entry file of the worker thread. */
  workerUrl: URL
  openDatabase: () => SyncDatabase
  /** Milliseconds since 1970. */
  now: () => number
  /** Called when the thread has ended, with what went wrong, if anything. */
  onEnd: (failure: string | undefined) => void
}

/**
 * Starts the thread of this process that uploads to a target, whose lease it holds. Returns undefined if another process does that already, or holds the lock of the
 * database.
 */
export function startUploader({ machine, workerUrl, openDatabase, now, onEnd }: UploaderOptions, target: Target) {
  const name = nameOf(target)
  // Looked at first, since a look waits for no lock.
  if (findHolder(openDatabase(), name, now) !== undefined) return undefined
  if (!tryWrite(() => holdLease(openDatabase(), name, process.pid, now))) return undefined
  const worker = new Worker(workerUrl.href, { smol: true })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let isEnding = false
  let hasEnded = false

  const handleEnd = (failure: string | undefined) => {
    if (hasEnded) return
    hasEnded = true
    worker.terminate()
    tryWrite(() => releaseLease(openDatabase(), name, process.pid))
    onEnd(failure)
    resolve()
  }

  worker.unref()
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => handleEnd(data.failure)
  const handleDeath = () => handleEnd('The uploading thread broke off.')
  worker.onerror = (event) => {
    event.preventDefault()
    handleDeath()
  }
  worker.addEventListener('close', handleDeath)
  post(worker, { kind: 'start', machine, target })

  return {
    target,
    /**
     * Asks the thread to end after its current step. Not by `terminate()`, which might interrupt a write to the database
     * that other threads and processes wait for.
     */
    end: () => {
      if (isEnding) return
      isEnding = true
      post(worker, { kind: 'stop' })
    },
    /** Resolves when the thread has ended and the lease is released. */
    ended,
  }
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message)
}

/** Returns undefined if the write fails, for example because another process holds a lock. */
export function tryWrite<Value>(write: () => Value): Value | undefined {
  try {
    return write()
  } catch {
    return undefined
  }
}
