import type { Steps } from '../../cooperative.ts'
import { Refusal } from '../../errors.ts'

/** Share of the time that is used for work; the rest is left to the service. */
const WORK_SHARE = 1 / 5
/** Minimum time of work between two pauses. */
const MIN_WORK_MS = 20

/** Returns a function that runs work in steps, with pauses four times as long as the work before them. Rejects with a Refusal once `isStopped` returns true. */
export function politely(isStopped: () => boolean): <Result>(steps: Steps<Result>) => Promise<Result> {
  return async (steps) => {
    let began = performance.now()
    for (;;) {
      if (isStopped()) throw new Refusal('stopped')
      const { done, value } = steps.next()
      if (done) return value
      const worked = performance.now() - began
      if (worked < MIN_WORK_MS) continue
      await Bun.sleep(worked * (1 / WORK_SHARE - 1))
      began = performance.now()
    }
  }
}
