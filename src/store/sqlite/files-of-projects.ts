import { existsSync } from 'node:fs'
import { DamagedFile, Refusal, StorageRefusal } from '../../errors.ts'
import type { Checkpoints } from './checkpoints/checkpoints.ts'
import { openBeside } from './connection.ts'
import { type Damages, toDamage } from './damages.ts'
import {
  CONTROL_REMEDY,
  hasProjects,
  makeFolder,
  type ProjectFile,
  requireNoRemains,
  toControlPath,
  toProjectPath,
  toProjectsFolder,
} from './data-folder.ts'
import { Unopened } from './errors.ts'
import type { SqliteFile, Watch } from './file.ts'
import { openFile } from './open-file.ts'
import { createOpenFiles, type OpenFiles } from './open-files.ts'

/**
 * Opens the control file of a folder, and creates it in one without projects.
 *
 * @throws DataError if it is lost, or has lost its contents with its WAL, while files of projects are there; nothing is
 *   changed then.
 */
export async function openControlFile(folder: string, now: number, watch: Watch): Promise<SqliteFile> {
  requireNoRemains(folder)
  const path = toControlPath(folder)
  const control = await openFile(path, 'control', !hasProjects(folder), now, watch)
  const isEmpty = control.reader.query('select 1 from accounts limit 1').get() === null
  if (isEmpty && hasProjects(folder)) {
    control.close()
    throw new DamagedFile(`${path} has lost its contents, and files of projects are there; ${CONTROL_REMEDY}`)
  }
  return control
}

const MADE =
  'select 1 from projects where removed_at is null and (made_at is not null or history_made_at is not null) limit 1'

/** Whether any project has a file. */
const hasMadeProjects = ({ reader }: SqliteFile): boolean => reader.query(MADE).get() !== null

/** Makes the folder of the projects before the first of them. Throws a StorageRefusal if it is missing later. */
export function requireProjectsFolder(folder: string, control: SqliteFile): void {
  const projects = toProjectsFolder(folder)
  if (existsSync(projects)) return
  if (hasMadeProjects(control)) throw new StorageRefusal('the folder of the projects is missing', 'ENOENT')
  makeFolder(projects)
}

/** The column of the control file with the time a file was created. */
export const MADE_AT = { project: 'made_at', history: 'history_made_at' } satisfies Record<ProjectFile, string>

/** A project, and which of its files were made: 1 or 0. */
export type ProjectFiles = { id: string } & Record<ProjectFile, number>
export const PROJECT_FILES = `id, ${Object.entries(MADE_AT).map(([kind, column]) => `${column} is not null as ${kind}`)}`

/** Says in a control file that a project has no such file: it is made at its first use. */
export function unmark(controlPath: string, projectId: string, kind: ProjectFile): void {
  using control = openBeside(controlPath)
  control.run(`update projects set ${MADE_AT[kind]} = null where id = ?`, [projectId])
}

/** The parameters for opening project files. */
type Store = {
  control: SqliteFile
  folder: string
  now: () => number
  watch: Watch
  checkpoints: Checkpoints | undefined
  damages: Damages
}
type ProjectRow = { madeAt: number | null; accountId: string }

/**
 * The files of one kind. A file is created once, and afterwards recorded in the control file. A crash in between leaves
 * an unrecorded file, which is simply opened. `toOpened` makes the store functions of an open file; at most `maxFiles`
 * are open. What damage makes fail is a DamagedProject, which is noted.
 */
export function createFilesOfProjects<Opened extends { file: SqliteFile }>(
  { control, folder, now, watch, checkpoints, damages }: Store,
  kind: ProjectFile,
  toOpened: (file: SqliteFile) => Opened,
  maxFiles: number,
): OpenFiles<Opened> {
  const find = control.reader.prepare<ProjectRow, [string]>(
    `select ${MADE_AT[kind]} as madeAt, account_id as accountId from projects where id = ? and removed_at is null`,
  )
  const mark = control.connection.prepare(`update projects set ${MADE_AT[kind]} = ? where id = ?`)

  async function open(id: string): Promise<SqliteFile> {
    const project = find.get(id)
    if (project === null) throw new Refusal(`no project '${id}'`)
    if (project.madeAt === null) requireProjectsFolder(folder, control)
    const path = toProjectPath(folder, id, kind)
    const file = await openFile(path, kind, project.madeAt === null, now(), watch).catch(refuse)
    try {
      await requireOwnFile(file, path, { projectId: id, accountId: project.accountId })
      if (project.madeAt === null) await control.writer.write(async () => void mark.run(now(), id))
      damages.forget(path)
      return file
    } catch (error) {
      file.close()
      throw error
    }
  }

  /** Whoever uses a project reads why its storage does not work, and the operator too. */
  function refuse(error: unknown): never {
    if (!(error instanceof Unopened)) throw error
    watch.refused(error.refusal)
    throw error.refusal
  }

  function toFailure(id: string, error: unknown): unknown {
    const damage = toDamage(id, toProjectPath(folder, id, kind), error)
    if (damage === undefined) return error
    // Another process may have erased the project and its files during the call.
    if (find.get(id) === null) return new Refusal('the project was erased')
    damages.note(damage)
    return damage
  }

  return createOpenFiles(open, toOpened, maxFiles, checkpoints?.closeFile, toFailure)
}

type Identity = { projectId: string; accountId: string }

/**
 * Throws a DamagedFile if the file belongs to another project. A new file is assigned to this one.
 */
async function requireOwnFile(
  { connection, writer }: SqliteFile,
  path: string,
  { projectId, accountId }: Identity,
): Promise<void> {
  const found = connection
    .query<Identity, []>('select project_id as projectId, account_id as accountId from identity')
    .get()
  if (found === null) {
    const insert = connection.statement('insert or ignore into identity (project_id, account_id) values (?, ?)')
    await writer.write(async () => void insert.run(projectId, accountId)).catch(unlessRefusedByStorage)
  } else if (found.projectId !== projectId || found.accountId !== accountId) {
    throw new DamagedFile(
      `${path} is the file of project '${found.projectId}' of account '${found.accountId}'; put back the one of project '${projectId}'`,
    )
  }
}

/** A file on read-only storage is used without a recorded owner. */
function unlessRefusedByStorage(error: unknown): void {
  if (!(error instanceof StorageRefusal)) throw error
}
