import { randomUUID } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { VERSION } from '../../version.ts'
import { orRefuse } from './change.ts'

/**
 * A package in a folder that `npx` or `bunx` made for one run, and may remove: `_npx/<hash>` in npm's cache, `bunx-…`
 * among temporary files.
 */
const CACHED_PACKAGE =
  /(?<=^|=)(?:[A-Za-z]:)?[\\/][^=]*[\\/](?:_npx[\\/]\w+|bunx-[^\\/]+)[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/

/** Whether a path lies in the cache of `npx` or `bunx`. */
export const isCached = (path: string): boolean => CACHED_PACKAGE.test(path)

/** The words of a command, and what has to be copied, by its new path, before it can be run. */
export type KeptProgram = { words: string[]; copies: Map<string, string> }

const BUN = process.platform === 'win32' ? 'bun.exe' : 'bun'

/**
 * The same program outside of any cache: Bun itself, and our package, below `folder`. Without copies if `words` name
 * nothing in a cache.
 */
export function toKeptProgram([bun = '', ...rest]: string[], folder: string): KeptProgram {
  const copies = new Map<string, string>()
  const keep = (from: string, name: string) => {
    const to = join(folder, name)
    copies.set(to, from)
    return to
  }
  const words = [isCached(bun) ? keep(bun, join(`bun-${Bun.version}`, BUN)) : bun]
  for (const word of rest) words.push(word.replace(CACHED_PACKAGE, (root) => keep(root, `memsvc-${VERSION}`)))
  return { words, copies }
}

/** Makes the copies that are not there yet, each at once as a whole. @throws Refusal if the file system refuses. */
export async function makeCopies({ copies }: KeptProgram): Promise<void> {
  for (const [to, from] of copies) if (!existsSync(to)) await orRefuse(to, () => copyWhole(from, to))
}

const OWNER_ONLY_FOLDER = 0o700

async function copyWhole(from: string, to: string): Promise<void> {
  const part = `${to}.${randomUUID()}.part`
  try {
    await mkdir(dirname(to), { recursive: true, mode: OWNER_ONLY_FOLDER })
    await cp(from, part, { recursive: true, mode: constants.COPYFILE_FICLONE })
    await rename(part, to)
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}
