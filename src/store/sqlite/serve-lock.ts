import { Database } from 'bun:sqlite'
import { closeSync, constants, existsSync, fchmodSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DataError, Refusal } from '../../errors.ts'
import { makeFolder } from './data-folder.ts'
import { isBusy, isReadOnlyFolder } from './errors.ts'

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
