import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ProjectFromBackup, ReplacedFiles } from '../../backup.ts'
import { checkFile } from '../check/check-file.ts'
import { Connection } from '../connection.ts'
import {
  giveToOwner,
  makeFolder,
  PROJECT_FILE_KINDS,
  type ProjectFile,
  toControlPath,
  toProjectPath,
  toProjectsFolder,
} from '../data-folder.ts'
import { MADE_AT } from '../files-of-projects.ts'
import { syncFile } from './archive.ts'
import { install, withUnpacked } from './restore-project.ts'

/**
 * How long a file is missing before its WAL is moved away too: a process that has just opened the file opens the WAL
 * within some milliseconds, and must not make a new one beside the file that comes.
 */
const SETTLE_MS = 1_000
/** How long another process may hold the control file, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000

/**
 * Replaces the damaged or missing files of a project by those of a backup, or all of its files if none is damaged; a
 * service may be using the folder, and opens the new files with its next call. A file that the backup does not have,
 * since nothing of it was written then, begins anew. What is replaced is moved into a folder of `replaced/`. If the
 * process is killed, the project is damaged until the same call is made again.
 *
 * @throws Refusal if the backup is incomplete; nothing is changed then.
 */
export function replaceProjectFiles(folder: string, project: ProjectFromBackup): Promise<ReplacedFiles> {
  const { projectId } = project.to
  return withUnpacked(folder, project, async (unpacked) => {
    const made = PROJECT_FILE_KINDS.filter((kind) => isMade(folder, projectId, kind))
    const damaged: ProjectFile[] = []
    for (const kind of made)
      if (await isDamaged(toProjectPath(folder, projectId, kind), kind, projectId)) damaged.push(kind)
    const replaced =
      damaged.length > 0 ? damaged : PROJECT_FILE_KINDS.filter((kind) => made.includes(kind) || unpacked.has(kind))
    const aside = makeAside(folder, `${projectId}-${new Date(project.now).toISOString().replace(/[-:]|\.\d+/g, '')}`)
    makeFolder(toProjectsFolder(folder))
    for (const kind of replaced) await replace(folder, projectId, kind, { path: unpacked.get(kind), aside })
    await syncFile(toProjectsFolder(folder))
    const isPart = made.some((kind) => !replaced.includes(kind))
    return {
      records: replaced.includes('project'),
      histories: replaced.includes('history'),
      isPart,
      aside: keepFilled(aside),
    }
  })
}

function makeAside(folder: string, name: string): string {
  const aside = join(folder, 'replaced', name)
  makeFolder(dirname(aside))
  makeFolder(aside)
  giveToOwner(aside)
  return aside
}

/** Nothing is replaced where all files were missing. */
function keepFilled(aside: string): string | null {
  if (readdirSync(aside).length > 0) return aside
  rmdirSync(aside)
  return null
}

async function replace(
  folder: string,
  projectId: string,
  kind: ProjectFile,
  { path, aside }: { path: string | undefined; aside: string },
) {
  const place = toProjectPath(folder, projectId, kind)
  await moveAside(place, aside)
  await Bun.sleep(SETTLE_MS)
  for (const suffix of ['-wal', '-shm']) await moveAside(place + suffix, aside)
  if (path === undefined) unmark(folder, projectId, kind)
  else await install(path, place)
}

async function moveAside(path: string, folder: string): Promise<void> {
  if (existsSync(path)) await rename(path, join(folder, basename(path)))
}

async function isDamaged(path: string, kind: ProjectFile, projectId: string): Promise<boolean> {
  if (!existsSync(path)) return true
  const { faults } = await checkFile(path, kind, { projectId })
  return faults.some(({ remedy }) => remedy === 'restore')
}

function isMade(folder: string, projectId: string, kind: ProjectFile): boolean {
  using control = new Connection(toControlPath(folder))
  return (
    control
      .query<unknown, [string]>(`select 1 from projects where id = ? and ${MADE_AT[kind]} is not null`)
      .get(projectId) !== null
  )
}

/** From then on the file is made at its first use. */
function unmark(folder: string, projectId: string, kind: ProjectFile): void {
  using control = new Connection(toControlPath(folder))
  control.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
  control.run(`update projects set ${MADE_AT[kind]} = null where id = ?`, [projectId])
}
