/** How long all long-running work together may run in one turn of the event loop before other events are handled. */
const SLICE_MS = 8

/** End of the present slice, by `performance.now()`; undefined if there is no long-running work. */
let sliceEndsAt: number | undefined

/** Long-running work that waits for a slice, in order of arrival. One is resumed in each turn of the event loop. */
const waiting: (() => void)[] = []

/**
 * Cooperative scheduling: long-running work awaits this before each piece of at most a few milliseconds. Returns undefined while the slice lasts, otherwise a
 * promise that resolves at this work's turn. All long-running work of the process shares one slice in each turn of the event loop, so a short request waits
 * for one slice, however many callers there are.
 */
export function yieldIfDue(): Promise<void> | undefined {
  const now = performance.now()
  if (sliceEndsAt === undefined) {
    sliceEndsAt = now + SLICE_MS
    setImmediate(endSlice)
  }
  if (now < sliceEndsAt && waiting.length === 0) return undefined
  return new Promise((resume) => waiting.push(resume))
}

function endSlice(): void {
  const resume = waiting.shift()
  sliceEndsAt = resume === undefined ? undefined : performance.now() + SLICE_MS
  if (resume === undefined) return
  setImmediate(endSlice)
  resume()
}

/** Work as a generator that yields between pieces of at most a few milliseconds. */
export type Steps<Result> = Generator<void, Result>

/** Runs the work to its end without yielding to the event loop. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs the work, yielding to the event loop whenever a slice is over. Rejects with what the work throws. */
export async function finishInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    await yieldIfDue()
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** A semaphore: runs at most `maxRunning` works at a time, the others in order of arrival, which bounds the memory that they hold. */
export function createGate(maxRunning: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const queue: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running === maxRunning) await new Promise<void>((begin) => queue.push(begin))
    else running += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
