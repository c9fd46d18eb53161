import { readThreadTime } from '../bench/stall/thread-time.ts'

const TRIES = 8
/**
 * What tests assert, and nothing shorter is looked for. The promise is 25 ms, which `bench/stall.ts` measures; a
 * machine shared with others may take longer.
 */
export const BOUND_MS = 40

/**
 * The longest stretch for which a work holds the event loop, in milliseconds of the processor, so that a busy machine
 * makes little difference. Of some tries the shortest, or the first below the bound: the first meets code that is not
 * compiled yet, any may meet a collection of garbage, and what other guests of a machine take counts as processor time
 * there.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let time = 0; time < TRIES && shortest >= BOUND_MS; time++) shortest = Math.min(shortest, await measure(work))
  return shortest
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = readThreadTime()
  let isOver = false
  const tick = () => {
    const now = readThreadTime()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  await new Promise(setImmediate)
  isOver = true
  return longest
}
