import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../../clock.ts'

/** A working folder that has not changed for this long belongs to no running backup or restore. */
const MAX_QUIET_MS = DAY_MS

/**
 * Deletes working folders, recognized by their names, that killed processes left behind in a folder. Those of others
 * may vanish meanwhile.
 */
export async function deleteLeftovers(folder: string, name: RegExp, now: number): Promise<void> {
  for (const found of await readdir(folder)) {
    if (!name.test(found)) continue
    const path = join(folder, found)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (now - mtimeMs > MAX_QUIET_MS) await rm(path, { recursive: true, force: true })
  }
}
