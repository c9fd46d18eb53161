import { stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Environment, readStateDir } from '../../config.ts'

const FILE = 'sync-wake'
const OWNER_ONLY = 0o600

const fileOf = (environment: Environment) => join(readStateDir(environment), FILE)

/** Asks the current uploader, in any process, to scan the histories now. Has no effect if there is none. */
export async function wakeUploads(environment: Environment, now: number): Promise<void> {
  const file = fileOf(environment)
  const at = new Date(now)
  await utimes(file, at, at).catch(() => writeFile(file, '', { mode: OWNER_ONLY }).catch(() => {}))
}

/** The time of the last such request; 0 if there was none. */
export async function readWakeTime(environment: Environment): Promise<number> {
  return (await stat(fileOf(environment)).catch(() => undefined))?.mtimeMs ?? 0
}
