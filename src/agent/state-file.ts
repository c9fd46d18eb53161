import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Refusal, toErrorCode } from '../errors.ts'
import { tryParseJson } from '../jsonrpc.ts'
import { writeWhole } from '../whole-file.ts'

/** A list of tools may have 4 MiB. */
const MAX_FILE_BYTES = 8 * 2 ** 20
const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/** Reads the JSON value of a state file; undefined if there is none or it is unusable. */
export async function readState(file: string): Promise<unknown> {
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) return undefined
    return tryParseJson(await readFile(file, 'utf8'))
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
  await replaceFile(file, value).catch((error) => {
    throw new Refusal(
      `what was decided cannot be kept in the state folder (${toErrorCode(error)}); nothing was changed`,
    )
  })
}

/**
 * Writes a state file for a decision that allows less than the one before, which must be possible on a full disk too.
 * If the file cannot be replaced, it is overwritten in its place, which takes no room; if not even that is possible, it
 * is removed, so that it allows nothing. Returns whether the decision was kept, rather than removed.
 *
 * @throws Refusal if the file cannot even be removed.
 */
export async function saveWithdrawal(file: string, value: unknown): Promise<boolean> {
  try {
    await replaceFile(file, value).catch(() => overwriteFile(file, value))
    return true
  } catch {
    await rm(file, { force: true }).catch((error) => {
      throw new Refusal(`the state folder cannot be changed (${toErrorCode(error)}); SVC_SYNC=off forbids uploads`)
    })
    return false
  }
}

/**
 * Not atomic: whoever reads meanwhile may find no JSON, and so no permission. @throws if the file would have to grow.
 */
async function overwriteFile(file: string, value: unknown): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const [text, { size }] = [Buffer.from(JSON.stringify(value)), await handle.stat()]
    if (text.length > size) throw new RangeError('the file would have to grow')
    await handle.write(Buffer.concat([text, Buffer.alloc(size - text.length, ' ')]), 0, size, 0)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function replaceFile(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER })
  await writeWhole(file, JSON.stringify(value), OWNER_ONLY)
}
