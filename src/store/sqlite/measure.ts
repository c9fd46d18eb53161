import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreSizes } from '../store.ts'
import { SUFFIXES, toControlPath, toProjectsFolder } from './data-folder.ts'

/** Total bytes of the control file and of projects' files, with their WALs. Takes some microseconds for each file, and yields after each. */
export async function measureFiles(folder: string): Promise<StoreSizes> {
  const projects = toProjectsFolder(folder)
  const names = await readdir(projects).catch(() => [])
  return {
    control: await sumSizes(SUFFIXES.map((suffix) => toControlPath(folder) + suffix)),
    projects: await sumSizes(names.map((name) => join(projects, name))),
  }
}

/** Files that were erased meanwhile count as 0. */
async function sumSizes(paths: string[]): Promise<number> {
  let bytes = 0
  for (const path of paths)
    bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  return bytes
}
