import { SERVICE } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { findLastBackup } from './back-up-in-folder.ts'
import type { BackupContext } from './backup-runs.ts'
import { checkData, findLastCheck } from './check-data.ts'

/** How often is looked whether something is due. */
const LOOK_INTERVAL_MS = MINUTE_MS
/** A service that is started again and again does not check its data each time. */
const FIRST_CHECK_MS = 5 * MINUTE_MS
/** After a failure it is tried again so much later. */
const RETRY_MS = HOUR_MS

/** Throws a Refusal where backups are to be made and nobody said where. */
export function requireBackupFolder({ backupDir, backupEvery }: AppContext['config']): void {
  if (backupEvery !== undefined && backupDir === undefined)
    throw new Refusal('SVC_BACKUP_EVERY needs SVC_BACKUP_DIR, the folder to make backups in')
}

type Work = { isDue: () => Promise<boolean>; run: () => Promise<unknown>; failed: 'backup failed' | 'check failed' }

/**
 * Makes backups as often as the settings say, and looks for damage as often as they say, one after the other, each in a thread of its own. Failures are logged. Returns
 * what stops it, and resolves when nothing is under way any more, within some seconds.
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
  // A database has tools of its own for both.
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

/** A time in the future is one of a clock that was wrong. */
const isOlder = (at: number | undefined, milliseconds: number, now: number) => at === undefined || at > now || now - at >= milliseconds
