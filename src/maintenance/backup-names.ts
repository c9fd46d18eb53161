import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const ENDING = '.tar.zst'
/** The names that `toBackupName` makes: project (optional), time, and a mark if incomplete (optional). */
const NAME = /^memsvc-(?:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})-)?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(-incomplete)?\.tar\.zst$/

/** What the name of a backup says; `madeAt` in milliseconds since 1970. */
type ReadName = { madeAt: number; isComplete: boolean; projectId: string | undefined }

export type ListedBackup = ReadName & { name: string; path: string; bytes: number }

/** `now` in milliseconds since 1970. */
type Named = { now: number; isComplete: boolean; projectId?: string | undefined }

/** `memsvc-20260115T120000Z.tar.zst`, so that the order of names is the order of time. */
export function toBackupName({ now, isComplete, projectId }: Named): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return ['memsvc', ...(projectId === undefined ? [] : [projectId]), time, ...(isComplete ? [] : ['incomplete'])].join('-') + ENDING
}

/** The complete backups of everything in a folder, oldest first, judged by their names. Throws the system's error for a folder that cannot be read. */
export function listBackups(folder: string): ListedBackup[] {
  const names = readdirSync(folder).filter((name) => isWhole(readBackupName(name)))
  return names.sort().flatMap((name) => findBackup(folder, name) ?? [])
}

/** The newest `limit` backups in a folder, of everything or of a project, complete or not, and how many more there are. Throws as `listBackups`. */
export function listNewest(folder: string, limit: number): { backups: ListedBackup[]; more: number } {
  const named = readdirSync(folder).flatMap((name) => {
    const read = readBackupName(name)
    return read === undefined ? [] : [{ name, madeAt: read.madeAt }]
  })
  named.sort((a, b) => b.madeAt - a.madeAt)
  const backups = named.slice(0, limit).flatMap(({ name }) => findBackup(folder, name) ?? [])
  return { backups, more: Math.max(0, named.length - limit) }
}

/**
 * The backup with this name in a folder; undefined for a name that is not that of a backup, such as a path, and if there is no such file. Does not follow
 * links.
 */
export function findBackup(folder: string, name: string): ListedBackup | undefined {
  const read = readBackupName(name)
  if (read === undefined) return undefined
  const path = join(folder, name)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() ? { ...read, name, path, bytes: stat.size } : undefined
}

function readBackupName(name: string): ReadName | undefined {
  const [, projectId, year, month, day, hour, minute, second, incomplete] = NAME.exec(name) ?? []
  const madeAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(madeAt) ? undefined : { madeAt, isComplete: incomplete === undefined, projectId }
}

function isWhole(read: ReadName | undefined): boolean {
  return read?.isComplete === true && read.projectId === undefined
}
