import { recordEventAlone } from '../../account/audit/audit.ts'
import { SERVICE } from '../../account/auth/actor.ts'
import { startUpkeep } from '../../account/upkeep.ts'
import { createClockWatch, HOUR_MS, MINUTE_MS } from '../../clock.ts'
import { purgeHistories } from '../../history/erase/purge.ts'
import { startSchedule } from '../../maintenance/schedule.ts'
import { purgeTrash } from '../../memory/records/trash/purge.ts'
import { reindexOld } from '../../memory/search/index/reindex.ts'
import { tryDocuments } from '../../oauth/document-reach.ts'
import type { Service } from '../../service.ts'

/** The act of audit events that record a jump of the clock. */
const CLOCK_JUMP = 'clock.jump'

/**
 * Times of the audit log that the clock is compared with. `before` is the time of its last line: if the clock is far ahead of it, it may have been set wrong,
 * as on a machine that has just booted. `jumpedAt` is the time of the last line that recorded a jump, and its size in days: later lines have times of the
 * wrong clock.
 */
type Times = { before: number | undefined; jumpedAt: number | undefined; days: number }

/** Must be called before requests are served, since acts add lines. */
export async function readTimes({ store }: Pick<Service, 'store'>): Promise<Times> {
  const [lastEvent] = await store.control.listAudit({ limit: 1 })
  const [lastJump] = await store.control.listAudit({ act: CLOCK_JUMP, limit: 1 })
  return { before: lastEvent?.at, jumpedAt: lastJump?.at, days: Number(lastJump?.details.days) }
}

/** Starts periodic work and returns a function that stops it and resolves when it has ended. Nothing is purged while the clock cannot be trusted. */
export function startBackgroundWork(service: Service, times: Times): () => Promise<unknown> {
  const logJump = (days: number) => service.log('the clock has jumped; nothing is purged for a day', { days })
  const onJump = (days: number) => {
    logJump(days)
    void recordEventAlone(service, SERVICE, { act: CLOCK_JUMP, details: { days } })
  }
  const isSteady = createClockWatch(service.clock, onJump, times)
  if (times.jumpedAt !== undefined && !isSteady()) logJump(times.days)
  const endUpkeep = startUpkeep(service, isSteady)
  let isReindexed = false
  const reindexing = repeat(MINUTE_MS, async (isStopped) => {
    if (!isReindexed) isReindexed = await runAlone(service, 'reindex', isStopped, reindexOld)
  })
  const purging = repeat(HOUR_MS, async (isStopped) => {
    if (!isSteady()) return
    for (const purge of [purgeTrash, purgeHistories]) await runAlone(service, 'purge', isStopped, purge)
  })
  const tryingDocuments = repeat(HOUR_MS, () => tryDocuments(service))
  const endSchedule = startSchedule(service)
  return () => {
    void tryingDocuments.stop()
    return Promise.all([endUpkeep(), reindexing.stop(), purging.stop(), endSchedule()])
  }
}

/**
 * Runs work that stops early once `isStopped` returns true, and returns whether it ran: another instance on the same data may be running it. Failures are
 * logged.
 */
async function runAlone(
  service: Service,
  work: 'purge' | 'reindex',
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
 * Runs `act` now, and again `pauseMs` after each run, until `stop`, which resolves when the current run has ended. `act` may check whether it was stopped, to
 * end early, and must not throw.
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
