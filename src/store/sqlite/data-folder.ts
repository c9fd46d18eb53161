import { Database } from 'bun:sqlite'
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DamagedFile, DataError, Refusal } from '../../errors.ts'
import { isBusy, isReadOnlyFolder } from './errors.ts'

export const toControlPath = (folder: string) => join(folder, 'control.db')

export const toProjectsFolder = (folder: string) => join(folder, 'projects')

/**
 * The files of a project, with its records and its session histories: the project's id with one of these suffixes.
 * Everything that copies, checks or erases projects uses this list.
 */
const PROJECT_FILES = { project: '.db', history: '.history.db' } as const

export type ProjectFile = keyof typeof PROJECT_FILES

export const toProjectFileName = (projectId: string, file: ProjectFile) => `${projectId}${PROJECT_FILES[file]}`

export const toProjectPath = (folder: string, projectId: string, file: ProjectFile = 'project') =>
  join(toProjectsFolder(folder), toProjectFileName(projectId, file))

/** The project and kind of a file in the folder of the projects, by its name; undefined for any other file. */
export function parseProjectFileName(name: string): { projectId: string; file: ProjectFile } | undefined {
  const [, projectId = '', ending] = /^([\w-]+)(\..+)$/.exec(name) ?? []
  const file = PROJECT_FILE_KINDS.find((kind) => PROJECT_FILES[kind] === ending)
  return file && { projectId, file }
}

export const PROJECT_FILE_KINDS = Object.keys(PROJECT_FILES) as ProjectFile[]

/** The files SQLite keeps beside a database that is open. */
export const SUFFIXES = ['', '-wal', '-shm']

/** All files that a project may have in the folder. */
export const toProjectPaths = (folder: string, projectId: string) =>
  PROJECT_FILE_KINDS.flatMap((file) => SUFFIXES.map((suffix) => toProjectPath(folder, projectId, file) + suffix))

/**
 * A file that names the source of a move in progress. While it exists without a control file, the folder is not served.
 */
export const toMovingPath = (folder: string) => join(folder, 'moving')

/**
 * The folder of a restore in progress. While it exists without a control file, everything in the data folder is from
 * that restore; beside a control file it is what a restore left that was killed at its last step.
 */
export const toRestorePath = (folder: string) => join(folder, '.restore')

/**
 * Throws a DataError if there is no control file, and something that only a folder with one has: it was lost, or what
 * was to make it has not ended. Removes what a finished restore left, so that it is never taken for one in progress.
 */
export function requireNoRemains(folder: string): void {
  if (hasData(folder)) {
    const left = toRestorePath(folder)
    if (existsSync(left) && !isReadOnlyFolder(folder)) rmSync(left, { recursive: true, force: true })
    return
  }
  if (existsSync(toMovingPath(folder)))
    throw new DataError(`a move into '${folder}' has not ended; run the same 'memsvc move' again, or remove the folder`)
  if (existsSync(toRestorePath(folder)))
    throw new DataError(
      `a restore into '${folder}' has not ended; run the same 'memsvc restore' again, or remove the folder`,
    )
  if (hasProjects(folder))
    throw new DamagedFile(`${toControlPath(folder)} is missing, and files of projects are there; ${CONTROL_REMEDY}`)
}

/** What is done about a lost control file. */
export const CONTROL_REMEDY =
  'put it back with its -wal, or restore a backup into another folder and copy the newer files of projects there'

/** Whether there is a control file. Throws a DataError if the folder may not be entered. */
export function hasData(folder: string): boolean {
  try {
    return statSync(toControlPath(folder), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    throw new DataError(`cannot read the folder '${folder}': ${error instanceof Error ? error.message : error}`)
  }
}

/** Whether there are files of projects, so that a missing or empty control file is damage. */
export function hasProjects(folder: string): boolean {
  const projects = toProjectsFolder(folder)
  return existsSync(projects) && readdirSync(projects).some((name) => parseProjectFileName(name) !== undefined)
}

/**
 * Creates a folder and its parents, accessible only to their owner, and syncs them with their parents, so that they
 * survive a power failure. Throws a DataError that says what prevents it.
 */
export function makeFolder(path: string): void {
  try {
    const whole = resolve(path)
    const first = mkdirSync(whole, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    for (let made = whole; made.startsWith(first); made = dirname(made)) syncFolder(dirname(made))
    if (hasData(dirname(whole))) giveToOwner(whole)
  } catch (error) {
    throw new DataError(`cannot make the folder '${path}': ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * If run as root, gives a new file to the owner of its folder, so that a service that runs as that user can open what a
 * command run by root created. Does not follow links.
 */
export function giveToOwner(path: string): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  lchownSync(path, uid, gid)
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

export const SERVE_LOCK_FILE = 'serve.lock'

/**
 * Acquires an exclusive lock on `serve.lock` and returns a function that releases it. The operating system releases it
 * when the process ends. A read-only folder, which no process can change, is served without a lock.
 */
export function takeServeLock(folder: string): () => void {
  makeFolder(folder)
  const path = join(folder, SERVE_LOCK_FILE)
  if (!makePrivate(path)) return () => {}
  const lock = new Database(path, { readwrite: true })
  try {
    // Without a journal file, so that the lock can be acquired on a full disk.
    lock.run('pragma journal_mode = memory')
    lock.run('begin exclusive')
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw new Refusal(`another memsvc already serves the folder '${folder}'`)
    throw error
  }
  return () => lock.close()
}

/** Whether it is certain that no process serves the folder: of a read-only one, which has no lock, it never is. */
export function isUnserved(folder: string): boolean {
  if (isReadOnlyFolder(folder)) return false
  const path = join(folder, SERVE_LOCK_FILE)
  if (!existsSync(path)) return true
  const lock = new Database(path, { readonly: true })
  try {
    lock.query('pragma schema_version').get()
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  } finally {
    lock.close()
  }
}

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants

/**
 * Creates the file if there is none, and removes others' permissions from one that has some. Returns false on a
 * read-only file system.
 */
function makePrivate(path: string): boolean {
  try {
    const file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    fchmodSync(file, 0o600)
    closeSync(file)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EROFS') return false
    throw new DataError(`${path} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}
