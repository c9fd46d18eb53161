import { existsSync } from 'node:fs'
import { DamagedFile, StorageRefusal } from '../../errors.ts'
import {
  CONTROL_REMEDY,
  hasProjects,
  makeFolder,
  requireNoRemains,
  toControlPath,
  toProjectsFolder,
} from './data-folder.ts'
import { openFile, type SqliteFile, type Watch } from './file.ts'

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
