import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** What identifies a git repository. */
type Repository = {
  /** The folder that contains `.git`. */
  root: string
  /** The `.git` folder shared by all its work trees. */
  folder: string
  /** The URL of `origin` or, if there is none, of the first remote; at most `MAX_LINE_LENGTH` UTF-16 units. */
  remote: string | undefined
}

/** Number of parent folders that are searched for a repository. */
const MAX_DEPTH = 64
const MAX_FILE_BYTES = 2 ** 20
/** Longer lines of a git configuration are passed over: its author may be anybody. */
const MAX_LINE_LENGTH = 2_048

/** A folder and its parents, from the inside out. */
export function listParents(dir: string): string[] {
  const folders = [resolve(dir)]
  for (
    let above = dirname(resolve(dir));
    above !== folders.at(-1) && folders.length < MAX_DEPTH;
    above = dirname(above)
  )
    folders.push(above)
  return folders
}

/** Finds the repository that contains a folder by reading its files, so that git need not be installed. */
export async function findRepository(dir: string): Promise<Repository | undefined> {
  for (const root of listParents(dir)) {
    const folder = await findGitFolder(join(root, '.git'))
    if (folder !== undefined)
      return { root, folder, remote: findRemote((await readSmall(join(folder, 'config'))) ?? '') }
  }
  return undefined
}

/**
 * `.git` is the folder itself or, in a work tree or submodule, a file with the path of another folder; for a work tree,
 * that one contains the path of the shared folder.
 */
async function findGitFolder(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return undefined
  if (found.isDirectory()) return path
  const [, named] = /^gitdir: (.+)$/m.exec((await readSmall(path)) ?? '') ?? []
  if (named === undefined) return undefined
  const own = resolve(dirname(path), named.trim())
  const shared = (await readSmall(join(own, 'commondir')))?.trim()
  return shared === undefined ? own : resolve(own, shared)
}

/** The URL of `origin` or, if there is none, of the first remote that has one, in time linear in the file. */
function findRemote(config: string): string | undefined {
  const urls = new Map<string, string>()
  let remote: string | undefined
  for (const line of config.split(/\n+/).filter(({ length }) => length <= MAX_LINE_LENGTH)) {
    const [, section, rest = line] = /^\s*(\[[^\]]*\])(.*)$/.exec(line) ?? []
    if (section !== undefined) remote = /^\[remote "(.+)"\]$/.exec(section)?.[1]
    const url = /^url\s*=\s*(\S+)/.exec(rest.trim())?.[1]
    if (remote !== undefined && url !== undefined && !urls.has(remote)) urls.set(remote, url)
  }
  const [first] = urls.values()
  return urls.get('origin') ?? first
}

async function readSmall(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() && found.size <= MAX_FILE_BYTES ? readFile(path, 'utf8').catch(() => undefined) : undefined
}
