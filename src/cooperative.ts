/** How long all long-running work together may run in one turn of the event loop before other events are handled. */
const SLICE_MS = 2

/** End of the present slice, by `performance.now()`; undefined if there is no long-running work. */
let sliceEndsAt: number | undefined

/** Long-running work that waits for its next piece, in order of arrival. */
const waiting: (() => void)[] = []

/**
 * Cooperative scheduling: long-running work awaits this before each piece of at most a few milliseconds. Returns
 * undefined while the slice lasts and nobody waits, otherwise a promise that resolves at this work's turn: first come,
 * first served. All long-running work of the process shares one slice in each turn of the event loop, so a short
 * request waits for one slice and one piece, however many callers there are.
 */
export function yieldIfDue(): Promise<void> | undefined {
  sliceEndsAt ??= beginSlice()
  if (waiting.length === 0 && performance.now() < sliceEndsAt) return undefined
  return new Promise((resume) => waiting.push(resume))
}

/** Whether long-running work waits for its next piece. */
export const isWorkWaiting = (): boolean => waiting.length > 0

/** Begins a slice, which the next turn of the event loop ends. Returns its end. */
function beginSlice(): number {
  setImmediate(endSlice)
  return performance.now() + SLICE_MS
}

function endSlice(): void {
  sliceEndsAt = waiting.length === 0 ? undefined : beginSlice()
  resumeWhileSliceLasts()
}

/** Resumes the work that waits, a piece of each, until the slice is over. */
function resumeWhileSliceLasts(): void {
  if (sliceEndsAt === undefined || performance.now() >= sliceEndsAt) return
  const resume = waiting.shift()
  if (resume === undefined) return
  resume()
  // A tick that a microtask asks for comes after all microtasks, and so after the whole piece, whatever of it was
  // awaited on the way.
  queueMicrotask(() => process.nextTick(resumeWhileSliceLasts))
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
