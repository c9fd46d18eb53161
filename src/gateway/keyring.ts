import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'

/** Keys of 32 bytes; the first encrypts, every one decrypts. */
export type Keyring = [Uint8Array, ...Uint8Array[]]

const KEY_BYTES = 32

/** The keys of `SVC_SECRET_KEY`, then those of the file `secret.key` in the data folder. Throws a Refusal for a broken file. */
export function readKeyring({ config }: Pick<AppContext, 'config'>): Uint8Array[] {
  const path = toPath(config.dataDir)
  return [...config.secretKeys, ...(existsSync(path) ? parse(path) : [])]
}

/** The same, with the file made where there would be no key. */
export function requireKeyring({ config, random }: AppContext): Keyring {
  const path = toPath(config.dataDir)
  if (config.secretKeys.length === 0 && !existsSync(path)) write(path, [random.bytes(KEY_BYTES)], linkSync)
  return readKeyring({ config }) as Keyring
}

/** Replaces the file's keys. */
export function writeKeyring({ config }: AppContext, keys: Keyring): void {
  write(toPath(config.dataDir), keys, renameSync)
}

const toPath = (dataDir: string) => join(dataDir, 'secret.key')

function parse(path: string): Uint8Array[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  if (lines.some((line) => !/^[0-9a-f]{64}$/.test(line))) throw new Refusal('the file secret.key is damaged; restore it from a backup')
  return lines.map((line) => Uint8Array.fromHex(line))
}

/** The file is there whole or not at all, also after the power failed. `place` decides whether one that is there already, of another process, is kept. */
function write(path: string, keys: Uint8Array[], place: (from: string, to: string) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const made = `${path}.${process.pid}.new`
  const file = openSync(made, 'w', 0o600)
  writeSync(file, keys.map((key) => `${key.toHex()}\n`).join(''))
  syncAndClose(file)
  try {
    place(made, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(made, { force: true })
  }
  // What is encrypted with a key may be on the disk before the key's name is.
  syncAndClose(openSync(dirname(path), 'r'))
}

function syncAndClose(file: number): void {
  fsyncSync(file)
  closeSync(file)
}
