import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The list of tools of a service may have 4 MiB. */
const MAX_FILE_BYTES = 8 * 2 ** 20
const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/** The JSON value of a file that this program keeps for itself; undefined if there is none that can be used. */
export async function readState(file: string): Promise<unknown> {
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) return undefined
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Writes such a file in one step. What it holds is a convenience: where it cannot be written, that is passed over. */
export async function writeState(file: string, value: unknown): Promise<void> {
  // The next run makes up its mind anew.
  await saveState(file, value).catch(() => {})
}

/** Writes such a file in one step. For what a person decided. @throws Error of the file system where it cannot be written. */
export async function saveState(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER })
  const part = `${file}.${crypto.randomUUID()}.part`
  await writeFile(part, JSON.stringify(value), { mode: OWNER_ONLY })
  await rename(part, file)
}
