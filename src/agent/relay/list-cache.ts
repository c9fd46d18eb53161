import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readState, writeState } from '../state-file.ts'

/** Persists the latest list of tools, so that a session that starts while the service is down has them. Never throws: a failure only loses the list. */
export type ListCache = {
  /** The JSON text of the array, as received. */
  read: () => Promise<string | undefined>
  write: (tools: string) => Promise<void>
}

/** Maximum number of files, one for each key and service; the oldest beyond it are removed. */
const MAX_FILES = 16
const FOLDER = 'tools'

/** `identify` identifies service and key without revealing them, since it becomes a file name. It rejects if there is no key. */
export function createListCache(stateDir: string, identify: () => Promise<string>): ListCache {
  const folder = join(stateDir, FOLDER)
  const findFile = async () => join(folder, `${await identify()}.json`)

  async function read(): Promise<string | undefined> {
    const tools = await readState(await findFile())
    return typeof tools === 'string' ? tools : undefined
  }

  async function write(tools: string): Promise<void> {
    if ((await read()) === tools) return
    await writeState(await findFile(), tools)
    await prune(folder)
  }

  return { read: () => read().catch(() => undefined), write: (tools) => write(tools).catch(() => {}) }
}

async function prune(folder: string): Promise<void> {
  const names = await readdir(folder)
  const files = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })))
  const old = files.sort((a, b) => b.at - a.at).slice(MAX_FILES)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
