import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { CheckedPart, CheckRequest, Fault } from '../../check.ts'
import { openBeside } from '../connection.ts'
import {
  PROJECT_FILE_KINDS,
  type ProjectFile,
  parseProjectFileName,
  SUFFIXES,
  toControlPath,
  toProjectFileName,
  toProjectPath,
  toProjectsFolder,
} from '../data-folder.ts'
import { PROJECT_FILES, type ProjectFiles } from '../files-of-projects.ts'
import { type CheckedFile, checkFile } from './check-file.ts'

type ProjectRow = ProjectFiles & { isRemoved: number }

/**
 * Checks the files of a data folder one after the other, and looks for missing and unknown files. What cannot be read
 * is reported as a fault. Changes nothing; may run beside a service.
 */
export async function* checkFolder(
  folder: string,
  { projectId, ...options }: CheckRequest,
): AsyncGenerator<CheckedPart> {
  const control = toControlPath(folder)
  if (projectId === undefined) {
    const checked = hasBytes(control) ? await checkFile(control, 'control', options) : { faults: [MISSING] }
    yield { name: relative(folder, control), holds: 'control', ...checked }
  }
  const projects = listProjects(control)
  const ids = projectId === undefined ? listIds(folder, projects) : [projectId]
  const isRemoved = (id: string) => {
    const present = listProjects(control)
    return projects?.has(id) && present !== undefined && present.get(id)?.isRemoved !== 0
  }
  for (const id of ids) {
    const check: Check = (path, file) => checkFile(path, file, { ...options, projectId: id })
    // A project that is removed meanwhile loses its files.
    for await (const part of checkProjectFiles(folder, id, projects, check))
      if (part.faults.length === 0 || !isRemoved(id)) yield part
  }
  if (projectId === undefined) yield* findUnknown(folder)
}

/** The projects in the control file; undefined if it cannot be read. */
function listProjects(control: string): Map<string, ProjectRow> | undefined {
  try {
    using connection = openBeside(control)
    const rows = connection
      .query<ProjectRow, []>(`select ${PROJECT_FILES}, removed_at is not null as isRemoved from projects`)
      .all()
    return new Map(rows.map((row) => [row.id, row]))
  } catch {
    return undefined
  }
}

/** Ids of projects that have a file, or should have one. */
function listIds(folder: string, projects: Map<string, ProjectRow> | undefined): string[] {
  const found = listNames(folder).flatMap((name) => parseProjectFileName(name)?.projectId ?? [])
  return [...new Set([...(projects?.keys() ?? []), ...found])].sort()
}

const listNames = (folder: string) =>
  existsSync(toProjectsFolder(folder)) ? readdirSync(toProjectsFolder(folder)).sort() : []

type Check = (path: string, file: ProjectFile) => Promise<CheckedFile>

async function* checkProjectFiles(
  folder: string,
  projectId: string,
  projects: Map<string, ProjectRow> | undefined,
  check: Check,
): AsyncGenerator<CheckedPart> {
  const row = projects?.get(projectId)
  // The service erases the files of a removed project.
  if (row?.isRemoved === 1) return
  for (const file of PROJECT_FILE_KINDS) {
    const part = { name: join('projects', toProjectFileName(projectId, file)), projectId, holds: HOLDS[file] }
    const path = toProjectPath(folder, projectId, file)
    const isThere = hasBytes(path)
    // An unmarked file may be incomplete, and contains nothing yet.
    if (row?.[file] === 0) {
      if (file === 'project') yield { ...part, records: 0, faults: [] }
    } else if (isThere) {
      const { faults, ...checked } = await check(path, file)
      const isOrphan = projects !== undefined && row === undefined
      yield { ...part, ...checked, faults: isOrphan ? [ORPHANED, ...faults] : faults }
    } else if (row !== undefined) yield { ...part, faults: [MISSING] }
  }
}

const hasBytes = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

const HOLDS = { project: 'records', history: 'histories' } as const
const MISSING: Fault = { text: 'the file is missing or empty', remedy: 'restore' }
const ORPHANED: Fault = { text: 'the control file knows no such project', remedy: 'restore' }

/** Unknown entries in the folder of the projects, except the temporary files by which writing is tested. */
function* findUnknown(folder: string): Generator<CheckedPart> {
  const names = listNames(folder)
  const ours = names.filter((name) => parseProjectFileName(name) !== undefined)
  const known = new Set(ours.flatMap((name) => SUFFIXES.map((suffix) => name + suffix)))
  for (const name of names)
    if (!known.has(name) && !/^probe-.*\.tmp$/.test(name))
      yield {
        name: join('projects', name),
        holds: 'unknown',
        faults: [{ text: 'belongs to no file of memsvc', remedy: 'restore' }],
      }
}
