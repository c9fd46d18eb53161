import { Database } from 'bun:sqlite'
import { closeSync, constants, fchmodSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DataError, Refusal } from '../../errors.ts'
import { makeFolder } from './data-folder.ts'
import { isBusy } from './errors.ts'

/** Takes an exclusive lock on `serve.lock` and returns what releases it. The operating system releases it when the process ends. */
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

/** Makes the file where there is none, and takes away the rights of others on one that an earlier version made. */
function makePrivate(path: string): void {
  try {
    const file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    fchmodSync(file, 0o600)
    closeSync(file)
  } catch (error) {
    throw new DataError(`${path} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}
