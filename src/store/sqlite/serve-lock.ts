import { Database } from 'bun:sqlite'
import { closeSync, constants, fchmodSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DataError, Refusal } from '../../errors.ts'
import { isBusy } from './busy.ts'
import { makeFolder } from './make-folder.ts'

/**
 * Keeps a second server off the folder. The system drops the lock with the process, however it ends.
 * Returns what gives it back; throws a Refusal when another process holds it, and a DataError where the lock's file cannot be had.
 */
export function takeServeLock(folder: string): () => void {
  makeFolder(folder)
  const path = join(folder, 'serve.lock')
  makePrivate(path)
  const lock = new Database(path, { readwrite: true })
  try {
    lock.run('begin exclusive')
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw new Refusal(`another memsvc already serves the folder '${folder}'`)
    throw error
  }
  return () => lock.close()
}

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants

/** Makes the file where there is none. One that is there, of an earlier version, is its owner's alone from now on. */
function makePrivate(path: string): void {
  try {
    const file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    fchmodSync(file, 0o600)
    closeSync(file)
  } catch (error) {
    throw new DataError(`${path} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}
