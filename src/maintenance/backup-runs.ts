import type { Actor } from '../account/auth/actor.ts'
import { Refusal } from '../errors.ts'
import type { Backup } from '../store/backup.ts'
import { backUpInFolder } from './back-up-in-folder.ts'
import type { MaintenanceContext } from './worker/run-job.ts'

/** The backups that a service makes while it runs, one at a time. */
export type BackupRuns = {
  /** Makes a backup of everything into a folder; if one is in progress, waits for that one instead. Rejects as `backUpInFolder`. */
  run: (ctx: MaintenanceContext, actor: Actor, folder: string) => Promise<Backup>
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

  async function make(ctx: MaintenanceContext, actor: Actor, folder: string): Promise<Backup> {
    try {
      const backup = await backUpInFolder(ctx, actor, folder, () => isStopped)
      failure = undefined
      return backup
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
      throw error
    } finally {
      current = undefined
    }
  }

  return {
    run: async (ctx, actor, folder) => {
      if (isStopped) throw new Refusal('stopped')
      current ??= make(ctx, actor, folder)
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
