import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Maximum number of entries of a folder that are read. */
const MAX_ENTRIES = 100_000

/** The files of a folder whose names match, sorted by name. Only regular files count, not symbolic links; an unreadable folder yields none. */
export async function findFiles(folder: string, name: RegExp): Promise<{ name: string; file: string }[]> {
  const entries = await readEntries(folder)
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => ({ name: entry.name, file: join(folder, entry.name) }))
}

/** The subfolders whose names match, sorted by name. Symbolic links are skipped, since they could lead anywhere. */
export async function findFolders(folder: string, name: RegExp = /^/): Promise<{ name: string; file: string }[]> {
  const entries = await readEntries(folder)
  return entries
    .filter((entry) => entry.isDirectory() && name.test(entry.name))
    .map((entry) => ({ name: entry.name, file: join(folder, entry.name) }))
}

async function readEntries(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.slice(0, MAX_ENTRIES).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
