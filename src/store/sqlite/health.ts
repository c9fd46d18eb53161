import { existsSync } from 'node:fs'
import { readdir, statfs } from 'node:fs/promises'
import { DamagedProject, StorageRefusal } from '../../errors.ts'
import type { Damages } from './damages.ts'
import {
  PROJECT_FILE_KINDS,
  type ProjectFile,
  toProjectFileName,
  toProjectPath,
  toProjectsFolder,
} from './data-folder.ts'
import { tryWriting } from './errors.ts'
import type { SqliteFile } from './file.ts'
import { PROJECT_FILES, type ProjectFiles, requireProjectsFolder } from './files-of-projects.ts'
import { inTurn } from './long-reads.ts'
import { MISSING } from './open-file.ts'

/** Damaged files that one check looks at again. */
const MAX_TRIED_AGAIN = 16
/** Projects that are read at once when missing files are looked for. */
const PAGE_PROJECTS = 500
/** Looking for missing files takes at most one part in so many of the time. */
const SCAN_SHARE = 50

/** What is checked; `tryAgain` opens a project's file of a kind, or rejects. */
type Checked = {
  folder: string
  control: SqliteFile
  damages: Damages
  tryAgain: (file: ProjectFile, projectId: string) => Promise<void>
}

const PROJECTS = `select ${PROJECT_FILES} from projects where removed_at is null and id > ? order by id limit ?`

/**
 * Returns a function that checks the folder of the projects, and resolves to the free bytes on its disk and the ids of
 * projects with a file that is known to be damaged, or is missing. It rejects with a StorageRefusal if the folder is
 * missing or takes no writes.
 */
export function createHealthCheck({ folder, control, damages, tryAgain }: Checked) {
  const projects = toProjectsFolder(folder)
  const list = control.reader.prepare<ProjectFiles, [afterId: string, limit: number]>(PROJECTS)
  const listPage = inTurn(async (afterId: string) => list.all(afterId, PAGE_PROJECTS))
  let scanAt = 0

  /** A file may have been restored, or its project removed by another process, without a call that would have told. */
  async function tryDamagedAgain(): Promise<void> {
    for (const { projectId, file } of damages.list().slice(0, MAX_TRIED_AGAIN)) {
      const kind = PROJECT_FILE_KINDS.find((one) => toProjectPath(folder, projectId, one) === file)
      if (kind === undefined) continue
      await tryAgain(kind, projectId).catch((error) => {
        if (!(error instanceof StorageRefusal)) damages.forget(file)
      })
    }
  }

  async function noteMissing(): Promise<void> {
    if (performance.now() < scanAt) return
    const startedAt = performance.now()
    const names = new Set(await readdir(projects))
    for (let page: ProjectFiles[] = [], afterId = ''; ; afterId = page.at(-1)?.id ?? '') {
      page = await listPage(afterId)
      for (const row of page) noteMissingFiles(row, names)
      if (page.length < PAGE_PROJECTS) break
    }
    scanAt = performance.now() + SCAN_SHARE * (performance.now() - startedAt)
  }

  function noteMissingFiles(row: ProjectFiles, names: Set<string>): void {
    for (const kind of PROJECT_FILE_KINDS) {
      if (row[kind] === 0 || names.has(toProjectFileName(row.id, kind))) continue
      const path = toProjectPath(folder, row.id, kind)
      // It may have been made since the names were read.
      if (!existsSync(path)) damages.note(new DamagedProject(row.id, path, `${path} ${MISSING}`))
    }
  }

  return async (): Promise<{ freeBytes: number; damaged: string[] }> => {
    requireProjectsFolder(folder, control)
    const refusal = tryWriting(projects)
    if (refusal !== undefined) throw refusal
    await tryDamagedAgain()
    await noteMissing()
    const { bavail, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, damaged: [...new Set(damages.list().map(({ projectId }) => projectId))].sort() }
  }
}
