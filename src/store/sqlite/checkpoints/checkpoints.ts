import type { SqliteFile } from '../file.ts'

/**
 * Maximum number of files that wait for the thread, which takes some milliseconds for each on the disk of a usual
 * server.
 */
const MAX_WAITING = 32
/** How long closing the service waits for them. */
const CLOSE_TIMEOUT_MS = 5_000

/**
 * A worker thread that checkpoints the WAL of closed files. It is started by the first file, and takes about 15 MiB.
 */
export type Checkpoints = {
  /**
   * Closes a file, whose WAL the thread checkpoints afterwards; if the maximum number of files waits or the thread has
   * died, it is checkpointed immediately.
   */
  closeFile: (file: Pick<SqliteFile, 'path' | 'close' | 'closeWithLog'>) => void
  /** Whether the thread has the file open, or is to open it. */
  isAtWorkOn: (path: string) => boolean
  /** Resolves when the thread is done with a file. */
  whenDone: (path: string) => Promise<void>
  /** Resolves when no file waits any more, or after 5 seconds; remaining WALs then stay beside their files. */
  close: () => Promise<void>
}

/** `url` is the worker's entry file. */
export function createCheckpoints(url: URL): Checkpoints {
  /** In the order in which they were closed; the thread is working on the first `sent`. */
  let waiting: string[] = []
  let sent = 0
  let answer = Promise.withResolvers<void>()
  let worker: Worker | undefined
  let isClosed = false

  function start(): Worker {
    const started = new Worker(url.href, { smol: true })
    started.onmessage = () => {
      leave(waiting.slice(sent))
      send()
    }
    started.onerror = (event) => {
      event.preventDefault()
      end()
    }
    started.addEventListener('close', end)
    started.unref()
    return started
  }

  /**
   * One message for all that wait, once the thread has answered the one before: each costs this thread a twentieth of
   * the time in which it opens a file.
   */
  function send(): void {
    if (sent > 0 || waiting.length === 0) return
    worker ??= start()
    sent = waiting.length
    worker.postMessage(waiting)
  }

  function leave(left: string[]): void {
    waiting = left
    sent = 0
    answer.resolve()
    answer = Promise.withResolvers()
  }

  function end(): void {
    isClosed = true
    leave([])
  }

  return {
    closeFile: (file) => {
      if (isClosed || waiting.length >= MAX_WAITING) return file.close()
      file.closeWithLog()
      waiting.push(file.path)
      send()
    },
    isAtWorkOn: (path) => waiting.includes(path),
    whenDone: async (path) => {
      while (waiting.includes(path)) await answer.promise
    },
    close: async () => {
      isClosed = true
      const timer = setTimeout(() => leave([]), CLOSE_TIMEOUT_MS)
      while (waiting.length > 0) await answer.promise
      clearTimeout(timer)
      worker?.terminate()
    },
  }
}
