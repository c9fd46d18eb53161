import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
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

/** Makes a folder, and those above it, that only their owner may enter. Throws a DataError that says what is in the way. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new DataError(`cannot make the folder '${path}': ${error instanceof Error ? error.message : error}`)
  }
}
