import { SERVICE } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { findLastBackup } from './back-up-in-folder.ts'
import type { BackupContext } from './backup-runs.ts'
import { checkData, findLastCheck } from './check-data.ts'

/** Interval between checks whether something is due. */
const LOOK_INTERVAL_MS = MINUTE_MS
/** The first check of the data comes this long after the start, so that frequent restarts do not check it each time. */
const FIRST_CHECK_MS = 5 * MINUTE_MS
/** Delay of a retry after a failure. */
const RETRY_MS = HOUR_MS

/** Throws a Refusal if backups are scheduled but no folder is set, or none will be made because the data is in a database. */
export function requireBackupFolder({ backupDir, backupEvery, databaseUrl }: AppContext['config']): void {
  if (backupEvery !== undefined && databaseUrl !== undefined)
    throw new Refusal(
      'SVC_BACKUP_EVERY makes backups of files, and the data is in a database: unset it, and back up the database with its own tools, such as pg_dump',
    )
  if (backupEvery !== undefined && backupDir === undefined)
    throw new Refusal('SVC_BACKUP_EVERY needs SVC_BACKUP_DIR, the folder to make backups in')
}

type Work = { isDue: () => Promise<boolean>; run: () => Promise<unknown>; failed: 'backup failed' | 'check failed' }

/**
 * Makes backups and checks the data at the configured intervals, one after the other, each in a worker thread. Failures are logged. Returns a function that
 * stops this, and resolves within some seconds when nothing is in progress any more.
 */
export function startSchedule(ctx: BackupContext, lookIntervalMs = LOOK_INTERVAL_MS): () => Promise<void> {
  const { clock } = ctx
  const startedAt = clock.ticks()
  let isStopped = false
  const works = toWorks(
    ctx,
    () => isStopped,
    () => clock.ticks() - startedAt >= FIRST_CHECK_MS,
  )
  const retryAt = new Map<Work, number>()
  let running: Promise<void> | undefined

  async function doWork(work: Work): Promise<void> {
    try {
      if (clock.ticks() >= (retryAt.get(work) ?? 0) && !isStopped && (await work.isDue())) await work.run()
    } catch (error) {
      retryAt.set(work, clock.ticks() + RETRY_MS)
      if (!isStopped) ctx.log(work.failed, { error: error instanceof Error ? error.message : String(error) })
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

function toWorks(ctx: BackupContext, isStopped: () => boolean, mayCheck: () => boolean): Work[] {
  const { clock, config } = ctx
  const { backupDir, backupEvery, checkDays, databaseUrl } = config
  // PostgreSQL has tools of its own for both.
  if (databaseUrl !== undefined) return []
  const backups: Work[] =
    backupDir === undefined || backupEvery === undefined
      ? []
      : [
          {
            isDue: async () => isOlder(findLastBackup(config)?.madeAt, backupEvery, clock.now()),
            run: () => ctx.backupRuns.run(ctx, SERVICE, backupDir),
            failed: 'backup failed',
          },
        ]
  const check: Work = {
    isDue: async () => checkDays > 0 && mayCheck() && isOlder((await findLastCheck(ctx))?.at, checkDays * DAY_MS, clock.now()),
    run: () => checkData(ctx, isStopped),
    failed: 'check failed',
  }
  return [...backups, check]
}

/** Whether the interval has passed. A time in the future was taken with a wrong clock, and counts as passed. */
const isOlder = (at: number | undefined, milliseconds: number, now: number) => at === undefined || at > now || now - at >= milliseconds
