import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../errors.ts'
import { isBusy } from './busy.ts'

/**
 * Keeps a second server off the folder. The system drops the lock with the process, however it ends.
 * Returns what gives it back; throws a Refusal when another process holds it.
 */
export function takeServeLock(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
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
