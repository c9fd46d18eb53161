import { rm, statfs } from 'node:fs/promises'
import { DataError, Refusal, StorageRefusal } from '../../errors.ts'
import type { OnRefusal, Store } from '../store.ts'
import { createControlStore } from './control/control-store.ts'
import { hasProjects, makeFolder, toControlPath, toProjectPath, toProjectPaths, toProjectsFolder } from './data-folder.ts'
import { tryWriting } from './errors.ts'
import { isOutdated, openFile, type SqliteFile, type Watch } from './file.ts'
import { createOpenFiles, type OpenFiles } from './open-files.ts'
import { createProjectStores } from './project/project-store.ts'
import { createVersionNumbers } from './version.ts'

/** Each open file takes five descriptors and some 0.4 MB. With those of the control file and of connections that is below 1 024, a usual limit of a process. */
const MAX_OPEN_FILES = 112

/**
 * Opens the data folder, making it when there is none. `onRefusal` is told of each write that the storage refused. Throws a DataError that says what is wrong with a
 * file.
 */
export async function openSqliteStore(folder: string, now: () => number, onRefusal: OnRefusal = () => {}): Promise<Store> {
  let lastCommitAt: number | undefined
  const committed = () => {
    lastCommitAt = now()
  }
  const watch: Watch = { nextNumber: createVersionNumbers(), committed, refused: onRefusal }
  // Only a folder without projects may get a new control file: otherwise it was lost.
  const control = await openFile(toControlPath(folder), 'control', !hasProjects(folder), now(), watch)
  const files = createProjectFiles(control, folder, now, watch)
  return {
    control: createControlStore(control),
    project: createProjectStores(files),
    eraseProject: async (id) => {
      await files.release(id)
      // Asynchronously: the operating system takes its time to delete large files.
      for (const path of toProjectPaths(folder, id)) await rm(path, { force: true })
    },
    check: async () => {
      await control.writer.write(async () => control.rewriteHeader())
      return { freeBytes: await checkFolder(folder), lastCommitAt }
    },
    upgrade: async () => {
      const made = control.reader
        .query<{ id: string }, []>('select id from projects where made_at is not null and removed_at is null')
        .all()
      const outdated = made.filter(({ id }) => isOutdated(toProjectPath(folder, id), 'project'))
      for (const { id } of outdated) await files.use(id, async () => {}).catch(() => {})
      return outdated.length
    },
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

/** Resolves to the bytes that are free. Rejects with a StorageRefusal unless the folder of the projects takes writes. */
async function checkFolder(folder: string): Promise<number> {
  makeFolder(toProjectsFolder(folder))
  const refusal = tryWriting(toProjectsFolder(folder))
  if (refusal !== undefined) throw refusal
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

type ProjectRow = { made_at: number | null; account_id: string }

/** A project's file is made once and marked as made in the control file afterwards. A crash in between leaves an unmarked file, which is simply opened. */
function createProjectFiles(control: SqliteFile, folder: string, now: () => number, watch: Watch): OpenFiles {
  const find = control.reader.prepare<ProjectRow, [string]>('select made_at, account_id from projects where id = ?')
  const mark = control.connection.prepare('update projects set made_at = ? where id = ?')
  return createOpenFiles(async (id) => {
    const project = find.get(id)
    if (project === null) throw new Refusal(`no project '${id}'`)
    const path = toProjectPath(folder, id)
    const file = await openFile(path, 'project', project.made_at === null, now(), watch)
    try {
      await requireOwnFile(file, path, { projectId: id, accountId: project.account_id })
    } catch (error) {
      file.close()
      throw error
    }
    if (project.made_at === null) await control.writer.write(async () => void mark.run(now(), id))
    return file
  }, MAX_OPEN_FILES)
}

type Identity = { projectId: string; accountId: string }

/** Throws a DataError where the file is another project's. One that says nothing, as those of earlier versions, is taken for this project's and says so from then on. */
async function requireOwnFile({ reader, connection, writer }: SqliteFile, path: string, { projectId, accountId }: Identity): Promise<void> {
  const found = reader.query<Identity, []>('select project_id as projectId, account_id as accountId from identity').get()
  if (found === null) {
    const insert = connection.statement('insert or ignore into identity (project_id, account_id) values (?, ?)')
    await writer.write(async () => void insert.run(projectId, accountId)).catch(unlessRefusedByStorage)
  } else if (found.projectId !== projectId || found.accountId !== accountId) {
    throw new DataError(
      `${path} is the file of project '${found.projectId}' of account '${found.accountId}'; put back the one of project '${projectId}'`,
    )
  }
}

/** What is only read needs no mark. */
function unlessRefusedByStorage(error: unknown): void {
  if (!(error instanceof StorageRefusal)) throw error
}
