const CLOSE_TIMEOUT_MS = 2_000

/** Asks a worker to close, by `ask`. Resolves when it has ended by itself, or was terminated for taking too long. */
export async function endWorker(worker: Worker, ask: () => void): Promise<void> {
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
