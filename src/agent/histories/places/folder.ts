import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The most entries of a folder that are looked at. */
const MAX_ENTRIES = 100_000

/** The files of a folder whose names match, by name. Symbolic links, and whatever else is no regular file, are left out; a folder that cannot be read has none. */
export async function findFiles(folder: string, name: RegExp): Promise<{ name: string; file: string }[]> {
  const entries = await readEntries(folder)
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => ({ name: entry.name, file: join(folder, entry.name) }))
}

/** The folders in a folder whose names match, by name. Links are left out: they could lead anywhere. */
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
