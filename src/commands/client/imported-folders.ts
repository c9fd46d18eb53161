import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { quote } from '../../agent/clients/hooks.ts'
import type { KeyInfo } from '../../agent/service-client.ts'
import { hasStore } from '../../store/open-store.ts'
import { type Cli, withService } from '../cli.ts'
import { loadConfig } from '../settings.ts'

/** Subfolders that are looked at. */
const MAX_SUBFOLDERS = 100

/** Tells, for each imported folder that is here, the command that says whether its notes are current in the memory. */
export async function offerMirrors(cli: Cli, { project, project_id: id }: Pick<KeyInfo, 'project' | 'project_id'>) {
  const folders = await findImportedFolders(cli, id)
  return folders.map(
    (folder) =>
      `Notes of ${folder} are in the memory; this says whether they are current there, as in a git hook: memsvc import ${quote(folder)} --project ${quote(project)} --mirror --check`,
  )
}

/**
 * Those of the current folder and its subfolders whose notes were imported into a project. None where the project's
 * data is not on this machine; a folder is found by its path only, since the path is stored as a hash.
 */
async function findImportedFolders(cli: Cli, projectId: string): Promise<string[]> {
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
