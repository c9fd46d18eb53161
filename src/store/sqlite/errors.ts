import { SQLiteError } from 'bun:sqlite'
import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DataError, Refusal, StorageRefusal } from '../../errors.ts'

const BUSY_TIMEOUT_MS = 10_000
const MAX_PAUSE_MS = 20

/** Whether another process holds a lock on the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code?.startsWith('SQLITE_BUSY') ?? false)
}

/** Whether SQLite refused a write because the file is open for reading alone. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code?.startsWith('SQLITE_READONLY') ?? false)
}

/** Retries, without blocking, until no other process holds a lock. Throws a Refusal after 10 seconds. */
export async function whenFree<T>(attempt: () => T): Promise<T> {
  for (let waited = 0, pause = 1; ; waited += pause, pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (waited >= BUSY_TIMEOUT_MS) throw new Refusal('the data is held by another process; try again')
      await Bun.sleep(pause)
    }
  }
}

/** The process has no file descriptors left. */
export class OutOfDescriptors extends DataError {}

/**
 * Margin below the limit, since some descriptors become free again before an error is handled. An open file takes five: the database and its WAL for each of
 * two connections, and the index of the WAL.
 */
const MIN_FREE_DESCRIPTORS = 16

/** Whether this process has almost no descriptors left. SQLite itself reports only that a file cannot be opened. */
function isOutOfDescriptors(): boolean {
  const taken: number[] = []
  try {
    while (taken.length < MIN_FREE_DESCRIPTORS) taken.push(openSync('/', 'r'))
    return false
  } catch (error) {
    return /^E[MN]FILE$/.test((error as { code?: string }).code ?? '')
  } finally {
    for (const descriptor of taken) closeSync(descriptor)
  }
}

/** Converts an error caused by the storage to a StorageRefusal; returns any other error unchanged. Never throws, whatever has become of the path. */
export function toWriteError(error: unknown, path: string): unknown {
  const code = error instanceof SQLiteError ? (error.code ?? '') : ''
  if (code === 'SQLITE_FULL') return toRefusal('ENOSPC')
  if (!/^SQLITE_(READONLY|IOERR|CANTOPEN)/.test(code)) return error
  // SQLite reports no details, so the system's error is determined by writing where the file would grow.
  const end = Math.max(...[path, `${path}-wal`].map(sizeOf))
  return tryWriting(dirname(path), end) ?? toRefusal(code.startsWith('SQLITE_READONLY') ? 'EROFS' : code)
}

/** Bytes of a file; 0 if there is none, or the system does not tell. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/** Writes a byte at this position of a new file in the folder, and deletes the file. Returns a StorageRefusal if the system refuses that. */
export function tryWriting(folder: string, place = 0): StorageRefusal | undefined {
  const path = join(folder, `probe-${randomUUID()}.tmp`)
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, new Uint8Array(1), 0, 1, place)
      fsyncSync(file)
    } finally {
      closeSync(file)
      unlinkSync(path)
    }
    return undefined
  } catch (error) {
    return toRefusal((error as { code?: string }).code ?? String(error))
  }
}

const READ_ONLY = /^(EROFS|EACCES|EPERM)$/

/** Whether the system refuses writes to the folder because of a mount or permissions. */
export const isReadOnlyFolder = (folder: string): boolean => READ_ONLY.test(tryWriting(folder)?.systemError ?? '')

function toRefusal(systemError: string): StorageRefusal {
  if (/^(ENOSPC|EDQUOT|EFBIG)$/.test(systemError)) return new StorageRefusal('the disk is full', systemError)
  if (READ_ONLY.test(systemError)) return new StorageRefusal('the data folder is read-only', systemError)
  return new StorageRefusal(`the storage fails (${systemError})`, systemError)
}

/** Converts an error caused by a damaged file or missing permissions to a DataError; returns any other error unchanged. */
export function toOpenError(error: unknown, path: string): unknown {
  const { code = '' } = error as { code?: string }
  const isDamaged = code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')
  if (isDamaged) return new DataError(`${path} is damaged; restore it from a backup`)
  if (/^(SQLITE_CANTOPEN|EMFILE|ENFILE)/.test(code) && isOutOfDescriptors()) {
    return new OutOfDescriptors(`${path} cannot be opened: this process may have no more files open; raise its limit (ulimit -n)`)
  }
  if (/^(SQLITE_(READONLY|CANTOPEN|PERM)|EACCES|EPERM|EROFS|EISDIR)/.test(code)) {
    return new DataError(`${path} cannot be written; memsvc must own it and its folder`)
  }
  const failure = toWriteError(error, path)
  return failure instanceof StorageRefusal ? new DataError(`${path} cannot be opened: ${failure.reason}`) : error
}
