import { SQLiteError } from 'bun:sqlite'
import { chmodSync, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DataError, Refusal } from '../../../errors.ts'
import type { ArchivedFile, BackupRequest, BackupWatch, Manifest } from '../../backup.ts'
import type { Fault } from '../../check.ts'
import { type CheckedFile, checkFile } from '../check/check-file.ts'
import { openBeside } from '../connection.ts'
import {
  PROJECT_FILE_KINDS,
  type ProjectFile,
  parseProjectFileName,
  toControlPath,
  toProjectFileName,
  toProjectPath,
} from '../data-folder.ts'
import type { Kind } from '../file.ts'
import { PROJECT_FILES, type ProjectFiles, unmark } from '../files-of-projects.ts'
import { requireOurs } from '../open-file.ts'
import type { ArchiveWriter } from './archive.ts'

export const CONTROL_ENTRY = 'control.db'
export const KEY_ENTRY = 'secret.key.sealed'
export const MANIFEST_ENTRY = 'manifest.json'

const PROJECTS_FOLDER = 'projects/'

export const toProjectEntry = (fileName: string) => `${PROJECTS_FOLDER}${fileName}`

/** The project and kind of file of an entry, by its name; undefined for any other entry. */
export function parseProjectEntry(name: string) {
  return name.startsWith(PROJECTS_FOLDER) ? parseProjectFileName(name.slice(PROJECTS_FOLDER.length)) : undefined
}

/** Whether an archive may contain an entry with this name. No accepted name leads out of the target folder. */
export function isKnownEntry(name: string): boolean {
  return [CONTROL_ENTRY, KEY_ENTRY, MANIFEST_ENTRY].includes(name) || parseProjectEntry(name) !== undefined
}

/** A backup in progress. `work` is a folder for copies. */
export type Packing = {
  folder: string
  work: string
  request: BackupRequest
  watch: BackupWatch
  archive: ArchiveWriter
  files: ArchivedFile[]
  incomplete: Manifest['incomplete']
}

const PROJECTS = `select ${PROJECT_FILES} from projects where removed_at is null and (?1 is null or id = ?1) order by id`

/**
 * Copies the control file, then every project in it. Of a project that was removed meanwhile, the copied control file
 * says that its missing files were never made. Returns the path of the copied control file, which is packed unless the
 * backup is of one project.
 */
export async function packProjects(packing: Packing): Promise<string> {
  const { work, request, watch, archive, files } = packing
  const control = join(work, CONTROL_ENTRY)
  await copyControl(packing, control)
  const projects = listProjects(control, request.projectId)
  for (const [at, project] of projects.entries()) {
    if (watch.isStopped()) throw new Refusal('interrupted')
    watch.onProgress(at, projects.length)
    for (const kind of PROJECT_FILE_KINDS) await packFile(packing, project, kind)
  }
  if (request.projectId === undefined)
    files.push({ name: CONTROL_ENTRY, ...(await archive.addFile(CONTROL_ENTRY, control)) })
  return control
}

async function copyControl({ folder, incomplete }: Packing, to: string): Promise<void> {
  const { faults } = await copyDatabase(toControlPath(folder), to, 'control')
  if (faults.length > 0) incomplete.push({ reason: `${CONTROL_ENTRY}: ${toReason(faults)}` })
}

function listProjects(control: string, projectId: string | undefined): ProjectFiles[] {
  using connection = openBeside(control)
  return connection.query<ProjectFiles, [string | null]>(PROJECTS).all(projectId ?? null)
}

async function packFile(packing: Packing, project: ProjectFiles, kind: ProjectFile): Promise<void> {
  const { folder, work, archive, files, incomplete } = packing
  // A file is marked as created before anything in it is acknowledged; an unmarked one may be incomplete.
  if (project[kind] === 0) return
  const path = toProjectPath(folder, project.id, kind)
  const name = toProjectEntry(toProjectFileName(project.id, kind))
  if (!existsSync(path)) {
    const isRemoved = listProjects(toControlPath(folder), project.id).length === 0
    if (isRemoved) unmark(join(work, CONTROL_ENTRY), project.id, kind)
    else incomplete.push({ project: project.id, reason: `${name} is missing` })
    return
  }
  const copy = join(work, 'copy')
  try {
    const { faults, records } = await copyDatabase(path, copy, kind, project.id)
    const digest = await archive.addFile(name, copy)
    files.push({ name, ...digest, project: project.id, ...(records !== undefined && { records }) })
    if (faults.length > 0) incomplete.push({ project: project.id, reason: `${name}: ${toReason(faults)}` })
  } catch (error) {
    if (!isDamage(error)) throw error
    incomplete.push({
      project: project.id,
      reason: `${name} cannot be read (${error instanceof Error ? error.message : error})`,
    })
  } finally {
    await rm(copy, { force: true })
  }
}

/** Whether the source of the copy is damaged, rather than the target. */
function isDamage(error: unknown): boolean {
  if (error instanceof DataError) return true
  return error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB|IOERR_READ|IOERR_SHORT_READ)/.test(error.code ?? '')
}

export async function packKey({ archive, files, request: { key, projectId } }: Packing): Promise<void> {
  if (key.sealed === undefined || projectId !== undefined) return
  files.push({ name: KEY_ENTRY, ...(await archive.addText(KEY_ENTRY, key.sealed)) })
}

/**
 * Copies a consistent state of a file, which others may read and write meanwhile, to a new file without a WAL and
 * without deleted data, and checks the copy. Returns faults that SQLite finds in the copy; throws if it cannot be
 * copied at all.
 */
function copyDatabase(from: string, to: string, kind: Kind, projectId?: string): Promise<CheckedFile> {
  {
    using connection = openBeside(from)
    requireOurs(connection, from, kind)
    connection.run('vacuum into ?', [to])
  }
  chmodSync(to, 0o600)
  return checkFile(to, kind, { ...(projectId !== undefined && { projectId }) })
}

const toReason = (faults: Fault[]) => faults.map(({ text }) => text).join(', ')
