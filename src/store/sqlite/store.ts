import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../errors.ts'
import type { Store } from '../store.ts'
import { createControlStore } from './control/control-store.ts'
import { openFile, type SqliteFile } from './file.ts'
import { createOpenFiles, type OpenFiles } from './open-files.ts'
import { createProjectStores } from './project-store.ts'
import { tidyIndex } from './tidy.ts'

/** Most project files held open: each takes two connections and some 0.4 MB. */
const MAX_OPEN_FILES = 128

/** Opens the data folder, making it when it is new. Throws a DataError that says what is wrong with a file. */
export async function openSqliteStore(folder: string, now: () => number): Promise<Store> {
  const control = await openControl(folder, now())
  const files = openProjects(control, folder, now)
  return {
    control: createControlStore(control),
    project: createProjectStores(files),
    eraseProject: async (id) => {
      await files.release(id)
      // The system takes its time with large files, on a thread of its own.
      for (const suffix of ['', '-wal', '-shm']) await rm(toPath(folder, id) + suffix, { force: true })
    },
    check: () => control.writer.write(async () => control.rewriteHeader()),
    tidy: async () => {
      const failures: unknown[] = []
      await files.each(({ file }, isReleased) => tidyIndex(file, isReleased).catch((error) => void failures.push(error)))
      if (failures.length > 0) throw failures[0]
    },
    close: async () => {
      await files.close()
      await control.writer.settle()
      control.close()
    },
  }
}

const toPath = (folder: string, id: string) => join(folder, 'projects', `${id}.db`)

/** The control file may be made only where no project's file says that there was one. */
function openControl(folder: string, now: number): Promise<SqliteFile> {
  const projects = join(folder, 'projects')
  const mayMake = !existsSync(projects) || readdirSync(projects).length === 0
  return openFile(join(folder, 'control.db'), 'control', mayMake, now)
}

/** A project's file is made once, which the control file notes after it: a crash between leaves a file that is simply opened. */
function openProjects(control: SqliteFile, folder: string, now: () => number): OpenFiles {
  const find = control.reader.prepare<{ made_at: number | null }, [string]>('select made_at from projects where id = ?')
  const mark = control.connection.prepare('update projects set made_at = ? where id = ?')
  return createOpenFiles(async (id) => {
    const project = find.get(id)
    if (project === null) throw new Refusal(`no project '${id}'`)
    const file = await openFile(toPath(folder, id), 'project', project.made_at === null, now())
    if (project.made_at === null) await control.writer.write(async () => void mark.run(now(), id))
    return file
  }, MAX_OPEN_FILES)
}
