/** Milliseconds of long work in one turn of the event loop, after which whatever else the process has to do is done first. */
const SLICE_MS = 8

/** When the present slice ends, by `performance.now()`; undefined while no long work is under way. */
let sliceEndsAt: number | undefined

/** Long work that waits for a slice, in the order it came. One is resumed in each turn of the event loop. */
const waiting: (() => void)[] = []

/**
 * Cooperative yielding: long work calls it between pieces of at most some milliseconds, and before the first. Returns undefined while
 * the slice lasts, so that `await` costs nothing worth naming; otherwise a promise that is resolved when it is this work's turn again.
 * All long work of the process shares one slice a turn, since there is one event loop: however many callers are at work, a light request waits
 * for one slice and not for the sum of theirs.
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
