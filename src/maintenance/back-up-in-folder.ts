import { mkdir } from 'node:fs/promises'
import type { Actor } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import type { Backup } from '../store/backup.ts'
import { makeBackup, type WriteBackup } from './backup.ts'
import { type ListedBackup, listBackups } from './backup-names.ts'
import { deleteSurplus } from './keep.ts'
import { type MaintenanceContext, runJob } from './worker/run-job.ts'

/**
 * Makes a backup of everything into a folder, in a worker thread, and deletes older ones there that the retention rules do not keep. Logs what is incomplete.
 *
 * @throws Refusal for everybody but the operator and owners of the first account, if the backup cannot be written, and once `isStopped` returns true.
 */
export async function backUpInFolder(ctx: MaintenanceContext, actor: Actor, folder: string, isStopped: () => boolean): Promise<Backup> {
  const { backupKeep, backupPassphrase, dataDir } = ctx.config
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const write: WriteBackup = async (request, watch) => {
    const backup = await runJob(ctx, { kind: 'backup', location: { dataDir }, request }, { ...watch, onPart: () => {} })
    if (backup === undefined) throw new Error('the worker made no backup')
    return backup
  }
  const input = { to: folder, ...(backupPassphrase !== undefined && { passphrase: backupPassphrase }) }
  const backup = await makeBackup(ctx, actor, input, write, { isStopped, onProgress: () => {} })
  const { incomplete } = backup.manifest
  for (const { project, reason } of incomplete) ctx.log('a backup is not complete', { file: backup.path, project, reason })
  if (incomplete.length === 0 && backupKeep !== undefined) await deleteSurplus(folder, backupKeep)
  return backup
}

/** The newest complete backup of the folder of the settings; undefined if there is none, or the data is in a database. */
export function findLastBackup({ backupDir, databaseUrl }: AppContext['config']): ListedBackup | undefined {
  try {
    return backupDir === undefined || databaseUrl !== undefined ? undefined : listBackups(backupDir).at(-1)
  } catch {
    // No such folder yet.
    return undefined
  }
}
