import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readState, writeState } from '../state-file.ts'

/** Keeps the list of tools that a service gave last, so that a session that begins without it has them. Nothing here throws: without it, only that is lost. */
export type ListCache = {
  /** The JSON of an array, as the service wrote it. */
  read: () => Promise<string | undefined>
  write: (tools: string) => Promise<void>
}

/** One for each key and service; the oldest beyond that are removed. */
const MAX_FILES = 16
const FOLDER = 'tools'

/** `identify` tells services and keys apart, and must not reveal them, since it becomes the name of the file. It rejects if there is no key. */
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
