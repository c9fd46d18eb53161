import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from './loopback.ts'
import { writeWhole } from './whole-file.ts'

/**
 * The file of a data folder that says where its service listens, or listened last: one line with its URL on this
 * machine.
 */
export const ADDRESS_FILE = 'serve.address'

const OWNER_ONLY = 0o600
const MAX_CHARACTERS = 256

/** Writes the address of the service of a data folder. A folder that takes no writes is served without it. */
export async function keepServeAddress(dataDir: string, url: string): Promise<void> {
  await writeWhole(join(dataDir, ADDRESS_FILE), `${url}\n`, OWNER_ONLY).catch(() => {})
}

/**
 * The address of the service of a data folder; undefined if none was served. Only an address of this machine: a folder
 * may come from anybody, and a key is sent there.
 */
export function readServeAddress(dataDir: string): string | undefined {
  try {
    const url = URL.parse(readFileSync(join(dataDir, ADDRESS_FILE), 'utf8').slice(0, MAX_CHARACTERS).trim())
    return url !== null && url.protocol === 'http:' && isLoopback(url.host) ? url.origin : undefined
  } catch {
    return undefined
  }
}
