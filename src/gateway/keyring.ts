import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AppContext } from '../account/context.ts'
import { Refusal, toErrorCode } from '../errors.ts'
import { writeWhole } from '../whole-file.ts'

/** Keys of 32 bytes. The first one encrypts, all of them decrypt. */
type Keyring = Uint8Array[]

const KEY_BYTES = 32

/**
 * A lock is held for a few milliseconds; one of a time that is further away was left behind by a process that was
 * killed, or by a clock that was set back.
 */
const STALE_LOCK_MS = 10_000
const LOCK_RETRY_MS = 5

/**
 * The keys of `SVC_SECRET_KEY`, then those of the file `secret.key` in the data folder. Throws a Refusal for a damaged
 * file.
 */
export function readKeyring({ config }: Pick<AppContext, 'config'>): Keyring {
  return [...config.secretKeys, ...readFile(pathOf(config.dataDir))]
}

/** The keys of the file alone, for a backup. Throws a Refusal for a damaged file. */
export function readKeyFile({ config }: Pick<AppContext, 'config'>): Keyring {
  return readFile(pathOf(config.dataDir))
}

/**
 * Ensures that there is a key to encrypt with: creates `secret.key` if there is neither that file nor `SVC_SECRET_KEY`.
 */
export async function ensureKeyring(ctx: AppContext): Promise<void> {
  if (readKeyring(ctx).length === 0) await updateKeyFile(ctx, (keys) => (keys.length === 0 ? [newKey(ctx)] : keys))
}

/**
 * Replaces the keys in the file by `change(keys)`, under a lock against other processes. Readers see the file before or
 * after.
 */
export async function updateKeyFile(
  { config }: Pick<AppContext, 'config'>,
  change: (keys: Keyring) => Keyring,
): Promise<void> {
  const path = pathOf(config.dataDir)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const unlock = await lock(`${path}.lock`)
  try {
    await writeWhole(path, toKeyText(change(readFile(path))), 0o600)
    // The directory entry must be on the disk before anything that is encrypted with a new key.
    syncFolder(dirname(path))
  } finally {
    unlock()
  }
}

export function newKey({ random }: Pick<AppContext, 'random'>): Uint8Array {
  return random.bytes(KEY_BYTES)
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

function readFile(path: string): Keyring {
  return existsSync(path) ? parseKeyText(readFileSync(path, 'utf8')) : []
}

/** The text of the file: a key in hexadecimal on each line. */
export const toKeyText = (keys: Keyring) => keys.map((key) => `${key.toHex()}\n`).join('')

/** Throws a Refusal for any other text. */
export function parseKeyText(text: string): Keyring {
  const lines = text.trim().split('\n')
  if (lines.some((line) => !/^[0-9a-f]{64}$/.test(line)))
    throw new Refusal('the file secret.key is damaged; restore it from a backup')
  return lines.map((line) => Uint8Array.fromHex(line))
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Acquires a lock file, since the guarded file is shared by processes. Returns a function that releases it. */
async function lock(path: string): Promise<() => void> {
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (toErrorCode(error) !== 'EEXIST') throw error
    }
    removeStale(path)
    await Bun.sleep(LOCK_RETRY_MS)
  }
}

function removeStale(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > STALE_LOCK_MS) rmSync(path, { force: true })
}
