import { stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readStateDir } from '../../config.ts'

type Environment = Record<string, string | undefined>

const FILE = 'sync-wake'
const OWNER_ONLY = 0o600

const fileOf = (environment: Environment) => join(readStateDir(environment), FILE)

/** Asks whoever uploads, in whatever process, to look at the histories now. Where nobody does, nothing happens. */
export async function wakeUploads(environment: Environment, now: number): Promise<void> {
  const file = fileOf(environment)
  const at = new Date(now)
  await utimes(file, at, at).catch(() => writeFile(file, '', { mode: OWNER_ONLY }).catch(() => {}))
}

/** When that was asked last; 0 for never. */
export async function readWakeTime(environment: Environment): Promise<number> {
  return (await stat(fileOf(environment)).catch(() => undefined))?.mtimeMs ?? 0
}
