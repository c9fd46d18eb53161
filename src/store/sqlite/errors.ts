import { SQLiteError } from 'bun:sqlite'
import { randomUUID } from 'node:crypto'
import { accessSync, closeSync, constants, fsyncSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DamagedFile, DataError, Refusal, StorageDown, StorageRefusal } from '../../errors.ts'

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
 * Margin below the limit, since some descriptors become free again before an error is handled. An open file takes five:
 * the database and its WAL for each of two connections, and the index of the WAL.
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

/**
 * Converts an error caused by the storage to a StorageRefusal; returns any other error unchanged. Never throws,
 * whatever has become of the path.
 */
export function toWriteError(error: unknown, path: string): unknown {
  return findStorageRefusal(error, path) ?? error
}

/** The same for a caller that reads. */
export function toReadError(error: unknown, path: string): unknown {
  const refusal = findStorageRefusal(error, path)
  return refusal === undefined ? error : new StorageDown(refusal.reason, refusal.systemError)
}

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/
const FULL = /^(ENOSPC|EDQUOT|EFBIG)$/
const READ_ONLY = /^(EROFS|EACCES|EPERM|EISDIR)$/

/** What the storage does not do, of an error of SQLite; undefined if the error has another cause. */
function findStorageRefusal(error: unknown, path: string): StorageRefusal | undefined {
  const code = error instanceof SQLiteError ? (error.code ?? '') : ''
  if (code === 'SQLITE_FULL') return toRefusal('ENOSPC')
  // SQLite reports no details, so the system's error is determined by writing where the file would grow.
  const end = Math.max(...[path, `${path}-wal`].map(sizeOf))
  if (/^SQLITE_(READONLY|IOERR|CANTOPEN|PERM)/.test(code))
    return tryWriting(dirname(path), end) ?? toRefusal(/^SQLITE_(READONLY|PERM)/.test(code) ? 'EROFS' : code)
  // A file system that has failed also gives SQLite pages that are not what was written.
  const failure = DAMAGED.test(code) ? tryWriting(dirname(path), end) : undefined
  return failure !== undefined && !FULL.test(failure.systemError) ? failure : undefined
}

/** Bytes of a file; 0 if there is none, or the system does not tell. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/**
 * Writes a byte at this position of a new file in the folder, and deletes the file. Returns a StorageRefusal if the
 * system refuses that.
 */
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

/** Whether the system refuses writes to the folder because of a mount or permissions. */
export const isReadOnlyFolder = (folder: string): boolean => READ_ONLY.test(tryWriting(folder)?.systemError ?? '')

/** Whether the system refuses writes to a file because of a mount or permissions. */
export function isReadOnlyFile(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    return READ_ONLY.test((error as { code?: string }).code ?? '')
  }
}

function toRefusal(systemError: string): StorageRefusal {
  if (FULL.test(systemError)) return new StorageRefusal('the disk is full', systemError)
  if (READ_ONLY.test(systemError)) return new StorageRefusal('the data folder is read-only', systemError)
  return new StorageRefusal(`the storage fails (${systemError})`, systemError)
}

/**
 * A file cannot be opened because of its storage: the reason for the operator, and the refusal for whoever wanted to
 * use it.
 */
export class Unopened extends DataError {
  constructor(
    path: string,
    readonly refusal: StorageRefusal,
  ) {
    super(
      READ_ONLY.test(refusal.systemError) || refusal.systemError.startsWith('SQLITE_CANTOPEN')
        ? `${path} cannot be written; memsvc must own it and its folder`
        : `${path} cannot be opened: ${refusal.reason}`,
    )
  }
}

/** Whether SQLite found a file to be damaged. */
export function isDamage(error: unknown): boolean {
  return DAMAGED.test(String(Object(error).code ?? ''))
}

/**
 * Converts an error caused by the storage, by a damaged file or by missing permissions to a DataError; returns any
 * other error unchanged.
 */
export function toOpenError(error: unknown, path: string): unknown {
  const { code = '' } = error as { code?: string }
  if (/^(SQLITE_CANTOPEN|EMFILE|ENFILE)/.test(code) && isOutOfDescriptors()) {
    return new OutOfDescriptors(
      `${path} cannot be opened: this process may have no more files open; raise its limit (ulimit -n)`,
    )
  }
  const refusal = error instanceof Error && 'syscall' in error ? toRefusal(code) : findStorageRefusal(error, path)
  if (refusal !== undefined) return new Unopened(path, refusal)
  return isDamage(error) ? new DamagedFile(`${path} is damaged; restore it from a backup`) : error
}
