import { readThreadTime } from '../bench/stall/thread-time.ts'

const TRIES = 3

/**
 * The longest stretch for which a work holds the event loop, in milliseconds of the processor, so that a busy machine makes no difference. Of some tries the
 * shortest: the first meets code that is not compiled yet, and any may meet a collection of garbage.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let time = 0; time < TRIES; time++) shortest = Math.min(shortest, await measure(work))
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
