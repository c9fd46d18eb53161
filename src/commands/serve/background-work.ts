import { recordEventAlone } from '../../account/audit/audit.ts'
import { SERVICE } from '../../account/auth/actor.ts'
import { purgeAccounts } from '../../account/organizations/remove-account.ts'
import { startUpkeep } from '../../account/upkeep.ts'
import {
  type ClockJump,
  createClockWatch,
  DAY_MS,
  HOUR_MS,
  type KnownTimes,
  MINUTE_MS,
  toIsoTime,
} from '../../clock.ts'
import { purgeHistories } from '../../history/erase/purge.ts'
import { indexHistories, indexUploaded } from '../../history/index/index-histories.ts'
import { suggestFromSessions } from '../../history/suggestions/suggest.ts'
import { startSchedule } from '../../maintenance/schedule.ts'
import { keepQuestions } from '../../memory/questions/keep-questions.ts'
import { purgeTrash } from '../../memory/records/trash/purge.ts'
import { reindexOld } from '../../memory/search/index/reindex.ts'
import { purgeConnected } from '../../oauth/client.ts'
import { tryDocuments } from '../../oauth/document.ts'
import type { Service } from '../../service.ts'

/** Pause between two times that uploaded histories are indexed. */
const INDEX_PAUSE_MS = 5_000

/** Pause between two times that sessions are looked for that have rested. */
const SUGGEST_PAUSE_MS = 10 * MINUTE_MS

/** The act of audit events that record a jump of the clock, with the time before it. */
const CLOCK_JUMP = 'clock.jump'

/**
 * Times of the audit log that the clock is compared with: when its last line was written, and the last jump that a line
 * recorded. If the clock is far ahead of the last line, the service did not run, or the clock may have been set wrong,
 * as on a machine that has just booted. Later lines have times of the wrong clock.
 *
 * Must be called before requests are served, since acts add lines.
 */
export async function readTimes({ store }: Pick<Service, 'store'>): Promise<KnownTimes> {
  const [lastEvent] = await store.control.listAudit({ limit: 1 })
  const [lastJump] = await store.control.listAudit({ act: CLOCK_JUMP, limit: 1 })
  return {
    before: lastEvent?.at,
    jump: lastJump && { at: lastJump.at, from: Date.parse(String(lastJump.details.from)) },
  }
}

/**
 * Starts periodic work and returns a function that stops it and resolves when it has ended. What is old enough to be
 * purged is judged by a clock that can be trusted.
 */
export function startBackgroundWork(service: Service, times: KnownTimes): () => Promise<unknown> {
  const readNow = watchClock(service, times)
  const endUpkeep = startUpkeep(service, readNow)
  let isReindexed = false
  const reindexing = repeat(MINUTE_MS, async (isStopped) => {
    if (!isReindexed) isReindexed = await runAlone(service, 'reindex', isStopped, reindexOld)
  })
  const purging = repeat(HOUR_MS, async (isStopped) => {
    const now = readNow()
    for (const purge of [purgeTrash, purgeHistories, indexHistories, purgeConnected, purgeAccounts])
      await runAlone(service, 'purge', isStopped, (service, isStopped) => purge(service, isStopped, now))
  })
  const indexing = repeat(INDEX_PAUSE_MS, (isStopped) => indexUploaded(service, isStopped))
  const suggesting = repeat(SUGGEST_PAUSE_MS, (isStopped) =>
    runAlone(service, 'suggestions', isStopped, suggestFromSessions),
  )
  const keepingQuestions = repeat(MINUTE_MS, () => keepQuestions(service))
  const tryingDocuments = repeat(HOUR_MS, () => tryDocuments(service))
  const endSchedule = startSchedule(service)
  return () => {
    void tryingDocuments.stop()
    const repeated = [reindexing, indexing, purging, suggesting, keepingQuestions]
    return Promise.all([endUpkeep(), endSchedule(), ...repeated.map(({ stop }) => stop())])
  }
}

/**
 * The time by which things may be erased. Jumps of the clock are recorded; what is found at the start is told again
 * while the day after a jump lasts.
 */
function watchClock(service: Service, times: KnownTimes): () => number {
  let isStarting = true
  const tell = ({ at, from }: ClockJump) => {
    const fields = { days: Math.round((at - from) / DAY_MS), from: toIsoTime(from) }
    service.log(isStarting ? 'the last act was days ago' : 'the clock has jumped', fields)
    return fields
  }
  const readNow = createClockWatch(
    service.clock,
    (jump) => void recordEventAlone(service, SERVICE, { act: CLOCK_JUMP, details: tell(jump) }),
    times,
  )
  const now = service.clock.now()
  if (readNow() < now && times.jump !== undefined && now - times.jump.at < DAY_MS) tell(times.jump)
  isStarting = false
  return readNow
}

/**
 * Runs work that stops early once `isStopped` returns true, and returns whether it ran: another instance on the same
 * data may be running it. Failures are logged.
 */
async function runAlone(
  service: Service,
  work: 'purge' | 'reindex' | 'suggestions',
  isStopped: () => boolean,
  act: (service: Service, isStopped: () => boolean) => Promise<unknown>,
): Promise<boolean> {
  const run = async (isAlone: () => boolean) => void (await act(service, () => isStopped() || !isAlone()))
  try {
    return await service.store.runAlone(work, run)
  } catch (error) {
    service.log(`${work} failed`, { error: String(error) })
    return false
  }
}

type Repeated = { stop: () => Promise<void> }

/**
 * Runs `act` now, and again `pauseMs` after each run, until `stop`, which resolves when the current run has ended.
 * `act` may check whether it was stopped, to end early, and must not throw.
 */
function repeat(pauseMs: number, act: (isStopped: () => boolean) => Promise<unknown>): Repeated {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = run()

  async function run(): Promise<void> {
    await act(() => stopped)
    if (stopped) return
    timer = setTimeout(() => {
      running = run()
    }, pauseMs)
  }

  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
