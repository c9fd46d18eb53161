import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { hasStore } from '../../store/open-store.ts'
import { type Cli, withService } from '../cli.ts'
import { loadConfig } from '../settings.ts'

/** Subfolders that are looked at. */
const MAX_SUBFOLDERS = 100

/**
 * Those of the current folder and its subfolders whose notes were imported into a project. None where the project's
 * data is not on this machine; a folder is found by its path only, since the path is stored as a hash.
 */
export async function findImportedFolders(cli: Cli, projectId: string): Promise<string[]> {
  if (!(await hasStore(await loadConfig(cli)))) return []
  const here = await realpath('.')
  const entries = await readdir(here, { withFileTypes: true }).catch(() => [])
  const inside = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(here, name))
  return withService(cli, async ({ store }) => {
    if ((await store.control.find('projects', { id: projectId, removedAt: null })) === undefined) return []
    const project = store.project(projectId)
    const folders = [here, ...inside.slice(0, MAX_SUBFOLDERS)]
    const imported = await Promise.all(folders.map((folder) => project.listImportedSources(folder, { limit: 1 })))
    return folders.filter((_, at) => (imported[at]?.length ?? 0) > 0)
  })
}
