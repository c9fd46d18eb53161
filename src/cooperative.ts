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

/** Work that is cut into pieces of at most some milliseconds: one between each two of its `yield`s. */
export type Steps<Result> = Generator<void, Result>

/** Does the work without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Does the work a slice at a time. Rejects with what the work throws. */
export async function finishInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    await yieldIfDue()
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Lets at most so many works be under way at a time; those beyond begin in the order in which they came. Bounds the memory that they hold. */
export function createGate(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const queue: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay === most) await new Promise<void>((begin) => queue.push(begin))
    else underWay += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) underWay -= 1
      else next()
    }
  }
}
