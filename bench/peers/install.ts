import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Peer } from './peer.ts'

/** Some packages compile what they need where nothing built is to be had. */
const INSTALL_TIMEOUT_MS = 900_000

/**
 * Installs a program into a folder of its own below `cache`, unless it is there already. Returns that folder.
 *
 * @throws Error with the last that the package manager said.
 */
export async function install({ package: wanted }: Peer, cache: string): Promise<string> {
  if (wanted === undefined) return ''
  const folder = join(cache, `${wanted.name.replace('/', '+')}@${wanted.version}`)
  if (existsSync(folder)) return folder
  const part = `${folder}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { recursive: true })
  await writeFile(
    join(part, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [wanted.name]: wanted.version } }),
  )
  const command =
    wanted.by === 'bun'
      ? [process.execPath, 'install']
      : ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error']
  const ran = Bun.spawn(command, { cwd: part, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', detached: true })
  // Compilers that it started belong to its group, and end with it.
  const timer = setTimeout(() => process.kill(-ran.pid), INSTALL_TIMEOUT_MS)
  const [out, err] = await Promise.all([ran.stdout.text(), ran.stderr.text()])
  clearTimeout(timer)
  if ((await ran.exited) !== 0) throw new Error(`not installed: ${(err || out).trim().slice(-300)}`)
  await rename(part, folder)
  return folder
}

/** Bytes of all files below a folder, or of a file. */
export async function readSize(path: string): Promise<number> {
  const start = await stat(path)
  if (!start.isDirectory()) return start.size
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
