import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from './loopback.ts'

/** The file of a data folder that says where its service listens, or listened last: one line with its URL on this machine. */
export const ADDRESS_FILE = 'serve.address'

const OWNER_ONLY = 0o600
const MAX_CHARACTERS = 256

/** Writes the address of the service of a data folder. A folder that takes no writes is served without it. */
export function keepServeAddress(dataDir: string, url: string): void {
  const path = join(dataDir, ADDRESS_FILE)
  const part = `${path}.${randomUUID()}.part`
  try {
    writeFileSync(part, `${url}\n`, { mode: OWNER_ONLY })
    renameSync(part, path)
  } catch {
    removePart(part)
  }
}

/** On a read-only file system even the removal of a file that is not there fails. */
function removePart(part: string): void {
  try {
    rmSync(part, { force: true })
  } catch {}
}

/**
 * The address of the service of a data folder; undefined if none was served. Only an address of this machine: a folder may come from anybody, and a key is
 * sent there.
 */
export function readServeAddress(dataDir: string): string | undefined {
  try {
    const url = URL.parse(readFileSync(join(dataDir, ADDRESS_FILE), 'utf8').slice(0, MAX_CHARACTERS).trim())
    return url !== null && url.protocol === 'http:' && isLoopback(url.host) ? url.origin : undefined
  } catch {
    return undefined
  }
}
