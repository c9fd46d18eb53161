import { resolve } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { Refusal, type StorageRefusal } from '../errors.ts'
import type { Backup, BackupRequest, BackupWatch, Manifest, ProjectFromBackup, ReplacedFiles } from './backup.ts'
import type { CheckedPart, CheckRequest } from './check.ts'
import { toShownUrl } from './postgres/address.ts'
import { readBackup } from './sqlite/backup/read-backup.ts'
import { type OpenKey, restoreFolder } from './sqlite/backup/restore-folder.ts'
import { replaceProjectFiles, restoreProjectFiles } from './sqlite/backup/restore-in-place.ts'
import { writeBackup } from './sqlite/backup/write-backup.ts'
import { checkFolder } from './sqlite/check/check-folder.ts'
import {
  hasData as hasSqliteData,
  isUnserved as isUnservedFolder,
  requireNoRemains as requireNoSqliteRemains,
  takeServeLock as takeSqliteServeLock,
  toControlPath,
} from './sqlite/data-folder.ts'
import { isReadOnlyFile, isReadOnlyFolder, tryWriting } from './sqlite/errors.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store, StoreOptions } from './store.ts'

// Besides `move-store.ts` the only file outside the engines' folders that knows which engines exist. Modules of
// the one for databases are loaded where there is one: they take 8 MB.

export type Location = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl'>>
type Database = Location & Pick<Config, 'databasePool' | 'secretKeys'>

/**
 * Opens the store, and creates it if there is none.
 *
 * @throws DataError that says what is wrong with the data or the database.
 */
export async function openStore(
  config: Database,
  clock: Pick<Clock, 'now' | 'shared'>,
  options: StoreOptions = {},
): Promise<Store> {
  const { dataDir, databaseUrl, databasePool, secretKeys } = config
  if (databaseUrl === undefined) return openSqliteStore(dataDir, clock.now, options)
  // A key in a file of one machine could not be read by an instance on another one.
  if (secretKeys.length === 0) throw new Refusal('SVC_SECRET_KEY must be set where SVC_DATABASE_URL is')
  const { events, isServing = true } = options
  const { openPostgresStore } = await import('./postgres/store.ts')
  return openPostgresStore(
    { url: databaseUrl, poolSize: databasePool, sharedNow: clock.shared, isServing },
    clock.now,
    events,
  )
}

/**
 * Makes or updates the tables of a database as the role of `url`, which owns them, for the `role` of the service. Returns
 * the number of steps.
 *
 * @throws DataError if that is not possible, or the role of the service owns anything.
 */
export async function migrateDatabase(url: string, role: string, now: number): Promise<number> {
  return (await import('./postgres/migrate.ts')).migrateFor(role, url, now)
}

/** @throws Refusal if the data is in a database, whose `tools` do this. */
function requireFiles(databaseUrl: string | undefined, tools: string): void {
  if (databaseUrl !== undefined) throw new Refusal(`the data is in a database; use ${tools}`)
}

/** Where the data is, for people: the folder, or the database without its password. */
export const toShownLocation = ({ dataDir, databaseUrl }: Location): string =>
  databaseUrl === undefined ? resolve(dataDir) : toShownUrl(databaseUrl)

/** Whether there is a store to open. */
export async function hasStore({ dataDir, databaseUrl }: Location): Promise<boolean> {
  return databaseUrl !== undefined || hasSqliteData(dataDir)
}

/**
 * Throws a DataError where there is no store to open, but a part of one: it was lost, or a restore or move into the
 * folder has not ended.
 */
export function requireNoRemains({ dataDir, databaseUrl }: Location): void {
  if (databaseUrl === undefined) requireNoSqliteRemains(dataDir)
}

/**
 * Keeps other servers away from the data until the returned function is called or the process ends in any way. Commands
 * may still open the store. Throws a Refusal if another process holds the lock, and a DataError if the lock cannot be
 * acquired at all.
 */
export async function takeServeLock({ dataDir, databaseUrl }: Location): Promise<() => void> {
  return databaseUrl === undefined ? takeSqliteServeLock(dataDir) : () => {}
}

/** Whether it is certain that no process serves the data. Any number of processes may serve a database. */
export const isUnserved = ({ dataDir, databaseUrl }: Location): boolean =>
  databaseUrl === undefined && isUnservedFolder(dataDir)

/**
 * Why the data folder takes no writes at present; undefined if it takes them, or the data is in a database. Writes a
 * byte to find out.
 */
export const findStorageFault = ({ dataDir, databaseUrl }: Location): StorageRefusal | undefined =>
  databaseUrl === undefined ? tryWriting(dataDir) : undefined

/**
 * Whether the folder of the data, or the control file in it, takes no writes, because of a mount or permissions. Writes
 * a byte to find out.
 */
export const isReadOnly = ({ dataDir, databaseUrl }: Location): boolean =>
  databaseUrl === undefined && (isReadOnlyFolder(dataDir) || isReadOnlyFile(toControlPath(dataDir)))

/**
 * Checks every part of the data for damage, one after the other. What cannot be read is reported as a fault, and
 * skipped. Changes nothing, and may run beside a service.
 */
export function checkStore({ dataDir, databaseUrl }: Location, request: CheckRequest): AsyncGenerator<CheckedPart> {
  requireFiles(databaseUrl, 'its own tools, such as pg_amcheck')
  return checkFolder(dataDir, request)
}

/**
 * Writes a backup, also beside a running service, with every change acknowledged before, and verifies it by reading it
 * again. Leaves nothing behind if it fails.
 *
 * @throws Refusal if the target is there or cannot be written, and once `isStopped` says so; DataError where the data
 *   cannot be read at all.
 */
export async function backUpStore(
  { dataDir, databaseUrl }: Location,
  request: BackupRequest,
  watch: BackupWatch,
): Promise<Backup> {
  requireFiles(databaseUrl, 'pg_dump, or an archive of its log (point-in-time recovery)')
  return writeBackup(dataDir, request, watch)
}

/** Reads a backup to its end and returns its manifest. @throws Refusal if it is not a backup, truncated or changed. */
export function verifyBackup(archive: string): Promise<Manifest> {
  return readBackup(archive)
}

/**
 * Restores a backup to a place without data. `openKey` gets the encrypted key of credentials, if the backup has one,
 * and returns a function that stores the key.
 *
 * @throws Refusal if anything is there or the backup is not whole; nothing is left behind then. Also if the data is in
 *   a database.
 */
export async function restoreStore(
  { dataDir, databaseUrl }: Location,
  archive: string,
  openKey: OpenKey,
): Promise<Manifest> {
  requireFiles(
    databaseUrl,
    "'memsvc move --from FILE --to database' for an empty one, or restore with --data into a folder",
  )
  return restoreFolder(archive, dataDir, openKey)
}

/**
 * Installs the data of one project of a backup under the id of a project that does not exist yet. Returns whether it
 * includes session histories.
 *
 * @throws Refusal if the data is in a database.
 */
export async function restoreProjectData(
  { dataDir, databaseUrl }: Location,
  project: ProjectFromBackup,
): Promise<{ hasHistory: boolean }> {
  requireFiles(
    databaseUrl,
    "'memsvc restore FILE --data FOLDER', then 'memsvc export' from that folder and 'memsvc import'",
  )
  return { hasHistory: (await restoreProjectFiles(dataDir, project)).includes('history') }
}

/**
 * Replaces what is damaged of a project, or all of it if nothing is, by what a backup has of it, also beside a running
 * service.
 *
 * @throws Refusal if the data is in a database.
 */
export async function replaceProjectData(
  { dataDir, databaseUrl }: Location,
  project: ProjectFromBackup,
): Promise<ReplacedFiles> {
  requireFiles(databaseUrl, 'its own tools to restore it')
  return replaceProjectFiles(dataDir, project)
}
