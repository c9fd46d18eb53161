import type { Actor } from '../account/auth/actor.ts'
import { Refusal, toMessage } from '../errors.ts'
import type { Backup } from '../store/backup.ts'
import { backUpInFolder } from './back-up-in-folder.ts'
import type { BackupPlan } from './backup-plan.ts'
import type { MaintenanceContext } from './worker/run-job.ts'

/** The backups that a service makes while it runs, one at a time. */
export type BackupRuns = {
  /**
   * Makes a backup of everything into the folder of the plan; if one is in progress, waits for that one instead.
   * Rejects as `backUpInFolder`.
   */
  run: (ctx: MaintenanceContext, actor: Actor, plan: BackupPlan) => Promise<Backup>
  isUnderWay: () => boolean
  /** Why the last backup failed; undefined if it succeeded or none was tried since the start. */
  lastFailure: () => string | undefined
  /** Stops the backup in progress, which takes some seconds; no other one starts afterwards. */
  stop: () => Promise<void>
}

export type BackupContext = MaintenanceContext & { backupRuns: BackupRuns }

export function createBackupRuns(): BackupRuns {
  let current: Promise<Backup> | undefined
  let failure: string | undefined
  let isStopped = false

  async function make(ctx: MaintenanceContext, actor: Actor, plan: BackupPlan): Promise<Backup> {
    try {
      const backup = await backUpInFolder(ctx, actor, plan, () => isStopped)
      failure = undefined
      ctx.metrics.backup(backup.manifest.incomplete.length === 0 ? 'done' : 'incomplete')
      return backup
    } catch (error) {
      failure = toMessage(error)
      if (!isStopped) ctx.metrics.backup('failed')
      throw error
    } finally {
      current = undefined
    }
  }

  return {
    run: async (ctx, actor, plan) => {
      if (isStopped) throw new Refusal('stopped')
      current ??= make(ctx, actor, plan)
      return current
    },
    isUnderWay: () => current !== undefined,
    lastFailure: () => failure,
    stop: async () => {
      isStopped = true
      await current?.catch(() => {})
    },
  }
}
