import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ProjectFromBackup, ReplacedFiles } from '../../backup.ts'
import { checkFile } from '../check/check-file.ts'
import { Connection, openBeside } from '../connection.ts'
import {
  giveToOwner,
  makeFolder,
  PROJECT_FILE_KINDS,
  type ProjectFile,
  toControlPath,
  toProjectFileName,
  toProjectPath,
  toProjectsFolder,
} from '../data-folder.ts'
import { MADE_AT, unmark } from '../files-of-projects.ts'
import { syncFile } from './archive.ts'
import { deleteLeftovers } from './leftovers.ts'
import { parseProjectEntry, toProjectEntry } from './pack.ts'
import { unpack } from './restore-folder.ts'

/**
 * How long files are missing before their WALs are moved away too: a process that has just found a file in place opens
 * its WAL within some milliseconds, and must not make a new one beside the file that comes.
 */
const SETTLE_MS = 1_000

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
    // All at once: if it is killed, the same call finds all of them missing, and replaces them all.
    for (const kind of replaced) await moveAside(toProjectPath(folder, projectId, kind), aside)
    await Bun.sleep(SETTLE_MS)
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

/** Installs a file, or makes it begin anew, after the file before it was moved away. */
async function replace(
  folder: string,
  projectId: string,
  kind: ProjectFile,
  { path, aside }: { path: string | undefined; aside: string },
) {
  const place = toProjectPath(folder, projectId, kind)
  for (const suffix of ['-wal', '-shm']) await moveAside(place + suffix, aside)
  if (path === undefined) unmark(toControlPath(folder), projectId, kind)
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
  using control = openBeside(toControlPath(folder))
  return (
    control
      .query<unknown, [string]>(`select 1 from projects where id = ? and ${MADE_AT[kind]} is not null`)
      .get(projectId) !== null
  )
}

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
async function withUnpacked<Result>(
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
async function install(path: string, place: string): Promise<void> {
  await rename(path, place)
  giveToOwner(place)
}

/** Writes the new owner into the file. */
function giveTo(path: string, { projectId, accountId }: ProjectFromBackup['to']): void {
  using connection = new Connection(path)
  connection.run('update identity set project_id = ?, account_id = ?', [projectId, accountId])
}
