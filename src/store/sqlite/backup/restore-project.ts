import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectFromBackup } from '../../backup.ts'
import { Connection } from '../connection.ts'
import {
  giveToOwner,
  makeFolder,
  PROJECT_FILE_KINDS,
  type ProjectFile,
  toProjectFileName,
  toProjectPath,
  toProjectsFolder,
} from '../data-folder.ts'
import { syncFile } from './archive.ts'
import { deleteLeftovers } from './leftovers.ts'
import { parseProjectEntry, toProjectEntry } from './pack.ts'
import { unpack } from './unpack.ts'

const WORK_FOLDER = /^\.restore-[\da-f-]{36}$/

/**
 * Installs the files of one project of a backup in a data folder, which a service may be using, under the id of another
 * project, which the control file must not contain yet. Returns the kinds of files that the backup had: none if nothing
 * was ever written to the project.
 *
 * @throws Refusal if the backup is incomplete.
 */
export async function restoreProjectFiles(folder: string, project: ProjectFromBackup): Promise<ProjectFile[]> {
  makeFolder(toProjectsFolder(folder))
  return withUnpacked(folder, project, async (unpacked) => {
    for (const [kind, path] of unpacked) await install(path, toProjectPath(folder, project.to.projectId, kind))
    await syncFile(toProjectsFolder(folder))
    return [...unpacked.keys()]
  })
}

/**
 * Runs `act` with the paths of the files that a backup has of a project, which have their new owner already and may be
 * moved. They are in a folder beside the projects, which is removed afterwards.
 *
 * @throws Refusal if the backup is incomplete.
 */
export async function withUnpacked<Result>(
  folder: string,
  { archive, from, to, now }: ProjectFromBackup,
  act: (unpacked: Map<ProjectFile, string>) => Promise<Result>,
): Promise<Result> {
  await deleteLeftovers(folder, WORK_FOLDER, now)
  const work = join(folder, `.restore-${randomUUID()}`)
  try {
    await mkdir(work, { mode: 0o700 })
    await unpack(archive, work, (name) => parseProjectEntry(name)?.projectId === from)
    const paths = PROJECT_FILE_KINDS.map(
      (kind) => [kind, join(work, toProjectEntry(toProjectFileName(from, kind)))] as const,
    )
    const unpacked = new Map(paths.filter(([, path]) => existsSync(path)))
    for (const path of unpacked.values()) giveTo(path, to)
    return await act(unpacked)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Moves an unpacked file to its place. */
export async function install(path: string, place: string): Promise<void> {
  await rename(path, place)
  giveToOwner(place)
}

/** Writes the new owner into the file. */
function giveTo(path: string, { projectId, accountId }: ProjectFromBackup['to']): void {
  using connection = new Connection(path)
  connection.run('update identity set project_id = ?, account_id = ?', [projectId, accountId])
}
