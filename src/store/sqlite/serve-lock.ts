import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Refusal } from '../../errors.ts'
import { isBusy } from './busy.ts'
import { makeFolder } from './make-folder.ts'

/**
 * Keeps a second server off the folder. The system drops the lock with the process, however it ends.
 * Returns what gives it back; throws a Refusal when another process holds it.
 */
export function takeServeLock(folder: string): () => void {
  makeFolder(folder)
  const lock = new Database(join(folder, 'serve.lock'), { create: true, readwrite: true })
  try {
    lock.run('begin exclusive')
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw new Refusal(`another memsvc already serves the folder '${folder}'`)
    throw error
  }
  return () => lock.close()
}
