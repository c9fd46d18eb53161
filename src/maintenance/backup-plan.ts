import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DAY_MS } from '../clock.ts'
import type { Keep } from '../config/values.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { BACKUPS_FOLDER } from '../store/backup.ts'

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
