import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store, StoreEvents, StoreOptions, StoreSizes } from '../store.ts'
import { createCheckpoints } from './checkpoints/checkpoints.ts'
import { createControlStore } from './control/control-store.ts'
import { createDamages, toDamage } from './damages.ts'
import {
  PROJECT_FILE_KINDS,
  SUFFIXES,
  toControlPath,
  toProjectPath,
  toProjectPaths,
  toProjectsFolder,
} from './data-folder.ts'
import { PAGE_CACHE_KIB, TRANSACTION_MS, type Watch } from './file.ts'
import { createFilesOfProjects, openControlFile } from './files-of-projects.ts'
import { createHealthCheck } from './health.ts'
import { createHistoryStore, toOpenHistory } from './history-store.ts'
import { isOutdated } from './open-file.ts'
import { createProjectOpening } from './project/open-project.ts'
import { createProjectStores } from './project/project-store.ts'
import { salvageRecords } from './salvage.ts'
import { createWindows } from './sliding-window.ts'
import { createVersionNumbers } from './version.ts'

/**
 * Each open file takes five descriptors and about 0.4 MB. Together with the control file and network connections that
 * stays below 1 024, a usual limit of a process.
 */
const MAX_OPEN_FILES = { project: 112, history: 16 }

const NOBODY: StoreEvents = { refused: () => {}, committed: () => {}, damaged: () => {} }

/** Opens the data folder, and creates it if there is none. Throws a DataError that says what is wrong with a file. */
export async function openSqliteStore(
  folder: string,
  now: () => number,
  { events = NOBODY, isServing = true, checkpointWorker }: StoreOptions = {},
): Promise<Store> {
  let lastCommitAt: number | undefined
  const committed = (acts: number, milliseconds: number) => {
    lastCommitAt = now()
    if (acts > 0) events.committed(acts, milliseconds)
  }
  const use = isServing ? 'serving' : 'alone'
  const checkpoints = isServing && checkpointWorker !== undefined ? createCheckpoints(checkpointWorker) : undefined
  let readers = 0
  const isOpenElsewhere = (path: string) => readers > 0 || checkpoints?.isAtWorkOn(path) === true
  const watch: Watch = {
    isOpenElsewhere,
    nextNumber: createVersionNumbers(),
    maxTransactionMs: TRANSACTION_MS[use],
    pageCacheKib: PAGE_CACHE_KIB[use],
    committed,
    refused: events.refused,
  }
  const control = await openControlFile(folder, now(), watch)
  const damages = createDamages(events.damaged)
  const made = { control, folder, now, watch, checkpoints, damages }
  const files = createFilesOfProjects(made, 'project', createProjectOpening(), MAX_OPEN_FILES.project)
  const histories = createFilesOfProjects(made, 'history', toOpenHistory, MAX_OPEN_FILES.history)
  const hasHistory = control.reader.prepare<unknown, [string]>(
    'select 1 from projects where id = ? and history_made_at is not null',
  )
  const windows = createWindows()
  const opened = { project: files, history: histories }
  const checkHealth = createHealthCheck({
    folder,
    control,
    damages,
    tryAgain: (kind, id) => opened[kind].use(id, async () => {}),
  })
  return {
    control: createControlStore(control),
    windows: { take: windows.take, count: windows.count },
    project: createProjectStores(files),
    hasHistory: async (id) => hasHistory.get(id) !== null,
    history: (id) => createHistoryStore(histories, id),
    salvage: async function* (id, afterSeq) {
      const path = toProjectPath(folder, id)
      try {
        yield* salvageRecords(path, id, afterSeq)
      } catch (error) {
        throw toDamage(id, path, error) ?? error
      }
    },
    eraseProject: async (id) => {
      await files.release(id)
      await histories.release(id)
      for (const file of PROJECT_FILE_KINDS) await checkpoints?.whenDone(toProjectPath(folder, id, file))
      // Asynchronous, because deleting large files can take long.
      for (const path of toProjectPaths(folder, id)) {
        await rm(path, { force: true })
        damages.forget(path)
      }
    },
    check: async () => {
      await control.writer.write(async () => control.rewriteHeader())
      return { ...(await checkHealth()), lastCommitAt }
    },
    measure: () => measureFiles(folder),
    openFiles: () => ({ records: files.count(), histories: histories.count() }),
    upgrade: async () => {
      const kept = control.reader.query<{ id: string }, []>('select id from projects where removed_at is null').all()
      const outdated = PROJECT_FILE_KINDS.flatMap((kind) =>
        kept.filter(({ id }) => isOutdated(toProjectPath(folder, id, kind), kind)).map(({ id }) => ({ kind, id })),
      )
      for (const { kind, id } of outdated) await opened[kind].use(id, async () => {}).catch(() => {})
      return outdated.length
    },
    tidy: async () => {
      const failures: unknown[] = []
      await files.each(({ tidy }, isReleased) => tidy(isReleased).catch((error) => void failures.push(error)))
      if (failures.length > 0) throw failures[0]
    },
    // No other process serves the same folder.
    runAlone: async (_work, act) => {
      await act(() => true)
      return true
    },
    besideReader: async (act) => {
      readers += 1
      try {
        return await act()
      } finally {
        readers -= 1
      }
    },
    close: async () => {
      await checkpoints?.close()
      await files.close()
      await histories.close()
      await control.writer.settle()
      control.close()
    },
  }
}

/**
 * Total bytes of the control file and of projects' files, with their WALs. Takes some microseconds for each file, and
 * yields after each.
 */
async function measureFiles(folder: string): Promise<StoreSizes> {
  const projects = toProjectsFolder(folder)
  const names = await readdir(projects).catch(() => [])
  return {
    control: await sumSizes(SUFFIXES.map((suffix) => toControlPath(folder) + suffix)),
    projects: await sumSizes(names.map((name) => join(projects, name))),
  }
}

/** Files that were erased meanwhile count as 0. */
async function sumSizes(paths: string[]): Promise<number> {
  let bytes = 0
  for (const path of paths)
    bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  return bytes
}
