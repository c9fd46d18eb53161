import { existsSync, statSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Actor } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { DAY_MS } from '../clock.ts'
import type { Keep } from '../config/values.ts'
import type { Config } from '../config.ts'
import { Refusal, toMessage } from '../errors.ts'
import { BACKUPS_FOLDER, type Backup } from '../store/backup.ts'
import { makeBackup, type WriteBackup } from './backup.ts'
import { type ListedBackup, listBackups } from './backup-names.ts'
import { deleteSurplus } from './keep.ts'
import { type MaintenanceContext, runJob } from './worker/run-job.ts'

/**
 * Where backups are, how often `serve` makes one, and which it keeps. Without `everyMs` it makes none by itself,
 * without `keep` it deletes none. `isChosen`: the settings say how often; otherwise it is the usual one a day.
 */
export type BackupPlan = { folder: string; everyMs: number | undefined; keep: Keep | undefined; isChosen: boolean }

type Settings = Pick<Config, 'backupDir' | 'backupEvery' | 'backupKeep' | 'dataDir' | 'databaseUrl'>

/** Of the usual backups, the newest of each of the last seven days is kept. */
const USUAL_KEEP: Keep = [{ unit: 'd', count: 7 }]

/**
 * The plan for backups; undefined if there is no folder for them, or the data is in a database, which has its own
 * tools.
 */
export function findBackupPlan({
  backupDir,
  backupEvery,
  backupKeep,
  dataDir,
  databaseUrl,
}: Settings): BackupPlan | undefined {
  const isOff = backupEvery === 'off'
  if (databaseUrl !== undefined || (backupDir === undefined && isOff)) return undefined
  return {
    folder: resolve(backupDir ?? join(dataDir, BACKUPS_FOLDER)),
    everyMs: isOff ? undefined : (backupEvery ?? DAY_MS),
    // In a folder of the operator's, older backups may be there for another reason.
    keep: backupKeep ?? (backupDir === undefined ? USUAL_KEEP : undefined),
    isChosen: backupEvery !== undefined,
  }
}

/** Throws a Refusal if backups were asked for that will not be made, because the data is in a database. */
export function requireFilesToBackUp({ backupEvery, databaseUrl }: Settings): void {
  if (typeof backupEvery === 'number' && databaseUrl !== undefined)
    throw new Refusal(
      'SVC_BACKUP_EVERY makes backups of files, and the data is in a database: unset it, and back up the database with its own tools, such as pg_dump',
    )
}

/** Whether the backups of a plan are lost together with the data if a disk fails. */
export const isOnDataDisk = ({ folder }: BackupPlan, { dataDir }: Settings): boolean =>
  deviceOf(folder) === deviceOf(resolve(dataDir))

/** The device of a path, or of the first folder above it that exists. */
function deviceOf(path: string): number {
  return existsSync(path) || path === dirname(path) ? statSync(path).dev : deviceOf(dirname(path))
}

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
