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
import { parseProjectEntry, toProjectEntry } from './entries.ts'
import { unpack } from './unpack.ts'

/**
 * Installs the files of one project of a backup in a data folder, which a service may be using, under the id of another project, which the control file must
 * not contain yet. Returns the kinds of files that the backup had: none if nothing was ever written to the project.
 *
 * @throws Refusal if the backup is incomplete.
 */
export async function restoreProjectFiles(folder: string, { archive, from, to }: ProjectFromBackup): Promise<ProjectFile[]> {
  makeFolder(toProjectsFolder(folder))
  const work = join(folder, `.restore-${randomUUID()}`)
  try {
    await mkdir(work, { mode: 0o700 })
    await unpack(archive, work, (name) => parseProjectEntry(name)?.projectId === from)
    const kinds = PROJECT_FILE_KINDS.filter((kind) => existsSync(join(work, toProjectEntry(toProjectFileName(from, kind)))))
    for (const kind of kinds) {
      const path = join(work, toProjectEntry(toProjectFileName(from, kind)))
      giveTo(path, to)
      await rename(path, toProjectPath(folder, to.projectId, kind))
      giveToOwner(toProjectPath(folder, to.projectId, kind))
    }
    await syncFile(toProjectsFolder(folder))
    return kinds
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Writes the new owner into the file. A file of an older version has no owner, and counts as that of the project in its name. */
function giveTo(path: string, { projectId, accountId }: ProjectFromBackup['to']): void {
  const connection = new Connection(path)
  try {
    const says = connection.query("select 1 from sqlite_schema where name = 'identity'").get()
    if (says !== null) connection.run('update identity set project_id = ?, account_id = ?', [projectId, accountId])
  } finally {
    connection.close()
  }
}
