import { SERVICE } from '../account/auth/actor.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import { toMessage } from '../errors.ts'
import { type BackupContext, type BackupPlan, findBackupPlan, findLastBackup } from './back-up-in-folder.ts'
import { checkData, findLastCheck } from './check-data.ts'

/** Interval between checks whether something is due. */
const LOOK_INTERVAL_MS = MINUTE_MS
/** The first check of the data comes this long after the start, so that frequent restarts do not check it each time. */
const FIRST_CHECK_MS = 5 * MINUTE_MS
/**
 * The same of the first backup, unless the settings say how often one is made: whoever starts a service to try
 * something waits for none.
 */
const FIRST_USUAL_BACKUP_MS = MINUTE_MS
/** Delay of a retry after a failure. */
const RETRY_MS = HOUR_MS

type Work = { isDue: () => Promise<boolean>; run: () => Promise<unknown>; failed: 'backup failed' | 'check failed' }

/**
 * Makes backups and checks the data at the configured intervals, one after the other, each in a worker thread. Failures
 * are logged. Returns a function that stops this, and resolves within some seconds when nothing is in progress any
 * more.
 */
export function startSchedule(ctx: BackupContext, lookIntervalMs = LOOK_INTERVAL_MS): () => Promise<void> {
  const { clock } = ctx
  const startedAt = clock.ticks()
  let isStopped = false
  const works = toWorks(
    ctx,
    () => isStopped,
    () => clock.ticks() - startedAt,
  )
  const retryAt = new Map<Work, number>()
  let running: Promise<void> | undefined

  async function doWork(work: Work): Promise<void> {
    try {
      if (clock.ticks() >= (retryAt.get(work) ?? 0) && !isStopped && (await work.isDue())) await work.run()
    } catch (error) {
      retryAt.set(work, clock.ticks() + RETRY_MS)
      if (!isStopped) ctx.log(work.failed, { error: toMessage(error) })
    }
  }

  async function look(): Promise<void> {
    for (const work of works) await doWork(work)
    running = undefined
  }

  const begin = () => {
    running ??= look()
  }
  const timer = setInterval(begin, lookIntervalMs)
  timer.unref()
  begin()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await Promise.all([running, ctx.backupRuns.stop()])
  }
}

function toWorks(ctx: BackupContext, isStopped: () => boolean, sinceStartMs: () => number): Work[] {
  const { checkDays, databaseUrl } = ctx.config
  // PostgreSQL has tools of its own for both.
  if (databaseUrl !== undefined) return []
  const plan = findBackupPlan(ctx.config)
  const check: Work = {
    isDue: async () =>
      checkDays > 0 &&
      sinceStartMs() >= FIRST_CHECK_MS &&
      isOlder((await findLastCheck(ctx))?.at, checkDays * DAY_MS, ctx.clock.now()),
    run: () => checkData(ctx, isStopped),
    failed: 'check failed',
  }
  return plan?.everyMs === undefined ? [check] : [toBackupWork(ctx, plan, plan.everyMs, sinceStartMs), check]
}

function toBackupWork(ctx: BackupContext, plan: BackupPlan, everyMs: number, sinceStartMs: () => number): Work {
  let notBeforeMs = plan.isChosen ? 0 : FIRST_USUAL_BACKUP_MS
  return {
    isDue: async () => sinceStartMs() >= notBeforeMs && isOlder(findLastBackup(ctx)?.madeAt, everyMs, ctx.clock.now()),
    run: async () => {
      const { manifest } = await ctx.backupRuns.run(ctx, SERVICE, plan)
      // One that is not complete is no last backup: the next would be made at once, and fill the disk.
      if (manifest.incomplete.length > 0) notBeforeMs = sinceStartMs() + everyMs
    },
    failed: 'backup failed',
  }
}

/** Whether the interval has passed. A time in the future was taken with a wrong clock, and counts as passed. */
const isOlder = (at: number | undefined, milliseconds: number, now: number) =>
  at === undefined || at > now || now - at >= milliseconds
