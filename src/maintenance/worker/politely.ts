import type { Steps } from '../../cooperative.ts'
import { Refusal } from '../../errors.ts'

/** Of the time, this share is worked; the rest belongs to the service. */
const WORK_SHARE = 1 / 5
/** Work goes on without a pause for about so long. */
const MIN_WORK_MS = 20

/** Returns what runs work in steps with pauses of four times their length. Rejects with a Refusal once `isStopped` says so. */
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
