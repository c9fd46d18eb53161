import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Keeps the list of tools that a service gave last, so that a session that begins without it has them. Nothing here throws: without it, only that is lost. */
export type ListCache = {
  /** The JSON of an array. */
  read: () => Promise<string | undefined>
  write: (tools: string) => Promise<void>
}

/** The service lists up to 4 MiB of tools of integrations. */
const MAX_LIST_BYTES = 8 * 2 ** 20
/** One for each key and service; the oldest beyond that are removed. */
const MAX_FILES = 16
const FOLDER = 'tools'

/** `identify` tells services and keys apart, and must not reveal them, since it becomes the name of the file. It rejects where there is no key. */
export function createListCache(stateDir: string, identify: () => Promise<string>): ListCache {
  const folder = join(stateDir, FOLDER)

  async function read(): Promise<string | undefined> {
    const file = Bun.file(join(folder, `${await identify()}.json`))
    if (!(await file.exists()) || file.size > MAX_LIST_BYTES) return undefined
    const text = await file.text()
    return isArray(text) ? text : undefined
  }

  async function write(tools: string): Promise<void> {
    if (tools.length > MAX_LIST_BYTES || (await read()) === tools) return
    const path = join(folder, `${await identify()}.json`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const part = `${path}.${process.pid}.part`
    await Bun.write(part, tools, { mode: 0o600 })
    await chmod(part, 0o600)
    await rename(part, path)
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

function isArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}
