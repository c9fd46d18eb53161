import { recordEventAlone } from '../../../src/account/audit/audit.ts'
import { SERVICE } from '../../../src/account/auth/actor.ts'
import { compare, createLedger, NOTHING_WRONG } from '../ledger.ts'
import { workAnywhere } from './assistants.ts'
import type { Fleet } from './fleet.ts'
import { CRASHES, cause, findAccepting, type Trouble } from './troubles.ts'
import { type Crash, callLimited, findWindowFaults, type Limited, withoutForgotten } from './windows.ts'

const ASSISTANTS = 8

/**
 * What came of some rounds. `wrong` names what was lost, doubled or brought back; `accepted` counts instances that took
 * a revoked key.
 */
export type Tried = {
  rounds: number
  answers: number
  limitedCalls: number
  wrong: ReturnType<typeof compare> & { index: boolean }
  windowFaults: string[]
  accepted: number
}

/**
 * Lets assistants and limited callers work on a fleet, while in each round one thing goes wrong in the midst of
 * `answers` answers, and a key is revoked. `windowPauseMs` is how long limited callers wait between calls. Afterwards
 * compares what they were told with what is there.
 */
export async function tryFleet(
  fleet: Fleet,
  troubles: Iterable<Trouble>,
  {
    answers,
    windowPauseMs,
    onRound,
  }: { answers: number; windowPauseMs: number; onRound?: (round: number, trouble: Trouble, answers: number) => void },
): Promise<Tried> {
  const ledger = createLedger()
  const calls: Limited[] = []
  const crashes: Crash[] = []
  let told = 0
  let accepted = 0
  let rounds = 0
  let isOver = false
  const failure = new AbortController()
  const watch = { told: () => void told++, isOver: () => isOver, failed: failure.signal }
  const names = Array.from({ length: ASSISTANTS }, (_, i) => `assistant ${i}`)
  const works = names.map((name) => workAnywhere(fleet, ledger, name, watch))
  const working = Promise.all([...works, callLimited(fleet, calls, windowPauseMs, watch.isOver)])

  async function until(holds: () => boolean): Promise<void> {
    // An assistant ends before the end only where something is wrong.
    while (!holds()) await Promise.race([working.then(() => {}), Bun.sleep(5)])
  }

  function untilTold(count: number): Promise<void> {
    const enough = told + count
    return until(() => told >= enough)
  }

  try {
    for (const trouble of troubles) {
      await untilTold(answers / 2)
      if (CRASHES.includes(trouble)) crashes.push(await crash(trouble, fleet))
      else await cause(trouble, fleet)
      accepted += (await findAccepting(fleet)).length
      await untilTold(answers / 2)
      rounds++
      onRound?.(rounds, trouble, told)
    }
    // Fewer calls would not show that a window is not counted.
    await until(() => calls.length >= 2 * fleet.limited.callsPerProject)
  } catch (error) {
    failure.abort(error)
    throw error
  } finally {
    isOver = true
    await working
  }
  const kept = await fleet.operator.store.project(fleet.project.id).listRecords({ visible: undefined })
  const index = await fleet.operator.store.project(fleet.project.id).checkIndex()
  return {
    rounds,
    answers: told,
    limitedCalls: calls.length,
    wrong: { ...compare(ledger, kept), index: index.sound },
    windowFaults: findWindowFaults(withoutForgotten(calls, crashes), fleet.limited),
    accepted,
  }
}

async function crash(trouble: Trouble, fleet: Fleet): Promise<Crash> {
  const flushed = performance.now()
  // A commit that waits for the disk puts there whatever was committed before it, and a standby then has it too.
  await recordEventAlone(fleet.operator, SERVICE, { act: 'before a crash' })
  await cause(trouble, fleet)
  return { flushed, restarted: performance.now() }
}

export const NOTHING_WRONG_HERE = { ...NOTHING_WRONG, index: true }
