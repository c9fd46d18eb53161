import { rm } from 'node:fs/promises'
import { Refusal } from '../../errors.ts'
import type { Store } from '../store.ts'
import { createControlStore } from './control/control-store.ts'
import { hasProjects, SUFFIXES, toControlPath, toProjectPath } from './data-folder.ts'
import { openFile, type SqliteFile } from './file.ts'
import { createOpenFiles, type OpenFiles } from './open-files.ts'
import { createProjectStores } from './project/project-store.ts'
import { createVersionNumbers } from './version.ts'

/** Each open file takes five descriptors and some 0.4 MB. With those of the control file and of connections that is below 1 024, a usual limit of a process. */
const MAX_OPEN_FILES = 112

/** Opens the data folder, making it when there is none. Throws a DataError that says what is wrong with a file. */
export async function openSqliteStore(folder: string, now: () => number): Promise<Store> {
  // Only a folder without projects may get a new control file: otherwise it was lost.
  const nextNumber = createVersionNumbers()
  const control = await openFile(toControlPath(folder), 'control', !hasProjects(folder), now(), nextNumber)
  const files = createProjectFiles(control, folder, now, nextNumber)
  return {
    control: createControlStore(control),
    project: createProjectStores(files),
    eraseProject: async (id) => {
      await files.release(id)
      // Asynchronously: the operating system takes its time to delete large files.
      for (const suffix of SUFFIXES) await rm(toProjectPath(folder, id) + suffix, { force: true })
    },
    check: () => control.writer.write(async () => control.rewriteHeader()),
    tidy: async () => {
      const failures: unknown[] = []
      await files.each(({ tidy }, isReleased) => tidy(isReleased).catch((error) => void failures.push(error)))
      if (failures.length > 0) throw failures[0]
    },
    close: async () => {
      await files.close()
      await control.writer.settle()
      control.close()
    },
  }
}

/** A project's file is made once and marked as made in the control file afterwards. A crash in between leaves an unmarked file, which is simply opened. */
function createProjectFiles(control: SqliteFile, folder: string, now: () => number, nextNumber: () => number): OpenFiles {
  const find = control.reader.prepare<{ made_at: number | null }, [string]>('select made_at from projects where id = ?')
  const mark = control.connection.prepare('update projects set made_at = ? where id = ?')
  return createOpenFiles(async (id) => {
    const project = find.get(id)
    if (project === null) throw new Refusal(`no project '${id}'`)
    const file = await openFile(toProjectPath(folder, id), 'project', project.made_at === null, now(), nextNumber)
    if (project.made_at === null) await control.writer.write(async () => void mark.run(now(), id))
    return file
  }, MAX_OPEN_FILES)
}
