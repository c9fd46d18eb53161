import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Refusal } from '../errors.ts'

/** A list of tools may have 4 MiB. */
const MAX_FILE_BYTES = 8 * 2 ** 20
const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/** Reads the JSON value of a state file; undefined if there is none or it is unusable. */
export async function readState(file: string): Promise<unknown> {
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) return undefined
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Writes a state file atomically. Its content is dispensable, so a failure is ignored. */
export async function writeState(file: string, value: unknown): Promise<void> {
  // The next run computes it again.
  await replaceFile(file, value).catch(() => {})
}

/** Writes a state file atomically, for decisions of the user. @throws Refusal if the file system refuses. */
export async function saveState(file: string, value: unknown): Promise<void> {
  await replaceFile(file, value).catch((error: { code?: string }) => {
    throw new Refusal(`what was decided cannot be kept in the state folder (${error.code ?? 'unknown error'}); nothing was changed`)
  })
}

async function replaceFile(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER })
  const part = `${file}.${crypto.randomUUID()}.part`
  try {
    await writeFile(part, JSON.stringify(value), { mode: OWNER_ONLY })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
