import { mkdir, statfs } from 'node:fs/promises'
import type { Actor } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import type { Backup } from '../store/backup.ts'
import { makeBackup, type WriteBackup } from './backup.ts'
import { type ListedBackup, listBackups } from './backup-names.ts'
import { type BackupPlan, findBackupPlan, isOnDataDisk } from './backup-plan.ts'
import { deleteSurplus } from './keep.ts'
import { type MaintenanceContext, runJob } from './worker/run-job.ts'

/**
 * Room that a backup on the disk of the data must find, as a multiple of the data: for the archive, and for copies of
 * the control file and the largest project.
 */
const ROOM_FACTOR = 1.5

/**
 * Makes a backup of everything into the folder of a plan, in a worker thread, and deletes older ones there that the
 * plan does not keep. Logs that it was made, or what is incomplete.
 *
 * @throws Refusal for everybody but the operator and owners of the first account, if the backup cannot be written, if
 * it could fill the disk of the data, and once `isStopped` returns true.
 */
export async function backUpInFolder(
  ctx: MaintenanceContext,
  actor: Actor,
  plan: BackupPlan,
  isStopped: () => boolean,
): Promise<Backup> {
  const { folder, keep } = plan
  const { backupPassphrase, dataDir } = ctx.config
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (isOnDataDisk(plan, ctx.config)) await requireRoom(ctx, folder)
  const write: WriteBackup = async (request, watch) => {
    const backup = await runJob(ctx, { kind: 'backup', location: { dataDir }, request }, { ...watch, onPart: () => {} })
    if (backup === undefined) throw new Error('the worker made no backup')
    return backup
  }
  const input = { to: folder, ...(backupPassphrase !== undefined && { passphrase: backupPassphrase }) }
  const backup = await makeBackup(ctx, actor, input, write, { isStopped, onProgress: () => {} })
  const { incomplete } = backup.manifest
  for (const { project, reason } of incomplete)
    ctx.log('a backup is not complete', { file: backup.path, project, reason })
  if (incomplete.length > 0) return backup
  const deleted = keep === undefined ? [] : await deleteSurplus(folder, keep, Date.parse(backup.manifest.made_at))
  ctx.log('a backup was made', { file: backup.path, bytes: backup.bytes, deleted: deleted.length })
  return backup
}

/** Throws a Refusal if a backup could take room that saves need. */
async function requireRoom({ store }: AppContext, folder: string): Promise<void> {
  const { control, projects } = await store.measure()
  const { bavail, bsize } = await statfs(folder)
  const needed = Math.ceil(ROOM_FACTOR * (control + projects))
  const free = bavail * bsize
  if (free < needed)
    throw new Refusal(
      `'${folder}' is on the disk of the data, which has ${free} bytes left; a backup could take ${needed} of them`,
    )
}

/** The newest complete backup of the folder for backups; undefined if there is none. */
export function findLastBackup({ config, clock }: Pick<AppContext, 'config' | 'clock'>): ListedBackup | undefined {
  const plan = findBackupPlan(config)
  try {
    return plan && listBackups(plan.folder, clock.now()).at(-1)
  } catch {
    // No such folder yet.
    return undefined
  }
}
