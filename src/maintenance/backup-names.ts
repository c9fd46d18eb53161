import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

const ENDING = '.tar.zst'
/** The names that `toBackupName` makes: project (optional), time, and a mark if incomplete (optional). */
const NAME =
  /^memsvc-(?:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})-)?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(-incomplete)?\.tar\.zst$/

/** The first bytes of a file that zstd compressed (RFC 8878, §3.1.1). */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** What the name of a backup says; `madeAt` in milliseconds since 1970. */
type ReadName = { madeAt: number; isComplete: boolean; projectId: string | undefined }

export type ListedBackup = ReadName & { name: string; path: string; bytes: number }

/** `now` in milliseconds since 1970. */
type Named = { now: number; isComplete: boolean; projectId?: string | undefined }

/** `memsvc-20260115T120000Z.tar.zst`, so that the order of names is the order of time. */
export function toBackupName({ now, isComplete, projectId }: Named): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return (
    ['memsvc', ...(projectId === undefined ? [] : [projectId]), time, ...(isComplete ? [] : ['incomplete'])].join('-') +
    ENDING
  )
}

/**
 * The complete backups of everything in a folder that were made before or at the time `now`, oldest first, judged by
 * their names and first bytes. One of the future was named with a wrong clock, and says nothing about the age of what
 * is in it. Throws the system's error for a folder that cannot be read.
 */
export function listBackups(folder: string, now: number): ListedBackup[] {
  const found = readdirSync(folder).flatMap((name) => findBackup(folder, name) ?? [])
  return found
    .filter((one) => one.isComplete && one.projectId === undefined && one.madeAt <= now)
    .sort((a, b) => a.madeAt - b.madeAt)
}

/**
 * The newest `limit` backups in a folder, of everything or of a project, complete or not, and how many more there are.
 * Throws as `listBackups`.
 */
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
 * The backup with this name in a folder; undefined for a name that no backup has, such as a path, and if there is no
 * such file. Does not follow links. An empty file, or one of something else, is not complete.
 */
export function findBackup(folder: string, name: string): ListedBackup | undefined {
  const read = readBackupName(name)
  if (read === undefined) return undefined
  const path = join(folder, name)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() !== true) return undefined
  return { ...read, isComplete: read.isComplete && stat.size > 0 && isCompressed(path), name, path, bytes: stat.size }
}

/** By its first bytes; a file that this user may not read is judged by its name alone. */
function isCompressed(path: string): boolean {
  const start = Buffer.alloc(ZSTD_MAGIC.length)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, start, 0, start.length, 0)
    } finally {
      closeSync(file)
    }
  } catch {
    return true
  }
  return start.equals(ZSTD_MAGIC)
}

function readBackupName(name: string): ReadName | undefined {
  const [, projectId, year, month, day, hour, minute, second, incomplete] = NAME.exec(name) ?? []
  const madeAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(madeAt) ? undefined : { madeAt, isComplete: incomplete === undefined, projectId }
}
