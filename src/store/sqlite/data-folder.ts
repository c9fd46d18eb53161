import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DataError } from '../../errors.ts'

export const toControlPath = (folder: string) => join(folder, 'control.db')

export const toProjectsFolder = (folder: string) => join(folder, 'projects')

export const toProjectPath = (folder: string, projectId: string) => join(toProjectsFolder(folder), `${projectId}.db`)

/** The files SQLite keeps beside a database that is open. */
export const SUFFIXES = ['', '-wal', '-shm']

/** Whether there is a control file. Throws a DataError where the folder may not be entered. */
export function hasData(folder: string): boolean {
  try {
    return statSync(toControlPath(folder), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    throw new DataError(`cannot read the folder '${folder}': ${error instanceof Error ? error.message : error}`)
  }
}

/** Whether there are files of projects, so that the absence of a control file is damage. */
export function hasProjects(folder: string): boolean {
  const projects = toProjectsFolder(folder)
  return existsSync(projects) && readdirSync(projects).length > 0
}

/**
 * Makes a folder, and those above it, that only their owner may enter, and synchronises what was made with the folder above: a power cut takes none of it away. Throws a
 * DataError that says what is in the way.
 */
export function makeFolder(path: string): void {
  try {
    const whole = resolve(path)
    const first = mkdirSync(whole, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    for (let made = whole; made.startsWith(first); made = dirname(made)) syncFolder(dirname(made))
  } catch (error) {
    throw new DataError(`cannot make the folder '${path}': ${error instanceof Error ? error.message : error}`)
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
