import { eq, sql } from 'drizzle-orm'
import { createLru } from '../../cache/lru.ts'
import { Refusal } from '../../errors.ts'
import type { HistoryStore } from '../history-verbs.ts'
import type { ProjectStore } from '../project.ts'
import { withFailures } from '../shared/engine.ts'
import type { Store, StoreEvents, StoreSizes } from '../store.ts'
import { untilAborted } from './cancellation.ts'
import type { Connection } from './connection.ts'
import { createControlStore } from './control/control-store.ts'
import { toOperatorError } from './errors.ts'
import { createGrowthWatch } from './grown-tables.ts'
import { checkDatabase } from './health.ts'
import { createHistoryStore } from './history-store.ts'
import { migrate } from './migrate.ts'
import { requireWhole } from './move/database.ts'
import { createPool, type Pool } from './pool.ts'
import { createProjectStore } from './project/project-store.ts'
import { ErasedProject, findNumber, findOrGiveNumber, NO_PROJECT, withNumber } from './project-numbers.ts'
import { createReadRun } from './run.ts'
import { runAlone } from './run-alone.ts'
import { projectNumbers } from './schema/control.ts'
import { historyState } from './schema/history.ts'
import { inLongTransaction } from './use-connection.ts'
import { createWindows, sweepWindows } from './windows.ts'

/** Projects whose verbs are kept. */
const MAX_PROJECT_STORES = 1_000

const MAX_ERASURE_MS = 3_600_000

/**
 * `sharedNow` is the clock of windows, in milliseconds, in place of the database's. One that `isServing` listens for
 * what other instances change, on one connection more.
 */
export type Database = { url: string; poolSize: number; sharedNow?: (() => number) | undefined; isServing?: boolean }

/** Tables of a project's data, in the order in which they are emptied. */
const PROJECT_TABLES = [
  'posting_lists',
  'records',
  'workspace_audiences',
  'workspaces',
  'recent_states',
  'imported_sources',
  'sources',
  'audience_stats',
  'languages',
  'releases',
  'questions',
  'project_state',
  'history_lines',
  'history_passages',
  'history_blocks',
  'history_sources',
  'history_owners',
  'history_suggestions',
  'history_state',
]

const NOBODY: StoreEvents = { refused: () => {}, committed: () => {}, damaged: () => {} }

type Opened = { store: ProjectStore; history: HistoryStore }

/**
 * Opens the store in a PostgreSQL database, and makes its tables if there are none. Throws a DataError that says why
 * the database cannot be used.
 */
export async function openPostgresStore(
  { url, poolSize, sharedNow, isServing = false }: Database,
  now: () => number,
  events: StoreEvents = NOBODY,
): Promise<Store> {
  let lastCommitAt: number | undefined
  const pool = createPool(url, poolSize, {}, events.refused)
  const watchGrowth = createGrowthWatch(pool)
  const hooks: StoreEvents = {
    committed: (acts, milliseconds) => {
      lastCommitAt = now()
      watchGrowth()
      events.committed(acts, milliseconds)
    },
    refused: events.refused,
    damaged: events.damaged,
  }
  let ownsTables: boolean
  try {
    ownsTables = await migrate(pool, url, now())
    await requireWhole(pool)
  } catch (error) {
    await pool.close()
    throw toOperatorError(error, url)
  }
  const { control, close } = createControlStore(pool, hooks, isServing ? url : undefined)
  const opened = createLru<string, Opened>({ maxEntries: MAX_PROJECT_STORES })
  const toStore = (projectId: number) => createProjectStore(pool, projectId, hooks)
  const toHistory = (projectId: number) => createHistoryStore(pool, projectId, hooks)
  const ofNone = { store: toStore(NO_PROJECT), history: toHistory(NO_PROJECT) }

  function open(id: string): Opened {
    const known = opened.get(id)
    if (known !== undefined) return known
    const number = createFindProject(pool, id)
    const failed = (error: unknown) => {
      if (error instanceof ErasedProject) opened.delete(id)
      return error
    }
    const made = {
      store: withFailures(failed, withNumber(number, toStore, ofNone.store)),
      history: withFailures(failed, withNumber(number, toHistory, ofNone.history)),
    }
    opened.set(id, made)
    return made
  }

  const windows = createWindows(pool, sharedNow)
  return {
    control,
    windows,
    ownsTables,
    project: (id) => open(id).store,
    history: (id) => open(id).history,
    hasHistory: async (id) => {
      const number = await createReadRun(pool, undefined)((connection) => findNumber(connection, id))
      if (number === undefined) return false
      const isOfProject = eq(historyState.projectId, number)
      return createReadRun(pool, number)(async ({ db }) => (await db.$count(historyState, isOfProject)) > 0)
    },
    eraseProject: async (id) => {
      opened.delete(id)
      const number = await pool.use(undefined, (connection) => findNumber(connection, id))
      if (number !== undefined) await pool.use(number, (connection) => erase(connection, number), MAX_ERASURE_MS)
    },
    check: async () => ({ databaseMs: await checkDatabase(pool, control, windows), lastCommitAt }),
    measure: () => measure(pool),
    openFiles: () => ({ records: 0, histories: 0 }),
    upgrade: async () => 0,
    tidy: () => sweepWindows(pool, sharedNow),
    untilAborted,
    runAlone: (work, act) => runAlone(url, work, act),
    besideReader: (act) => act(),
    close: async () => {
      await close()
      await pool.close()
    },
  }
}

/**
 * Looks up the number of a project once, for all who ask meanwhile: acts that wait for it are queued in the order in
 * which they were given. It rejects with a Refusal if there is no such project. One that was removed and has no number
 * was erased.
 */
function createFindProject(pool: Pool, id: string): () => Promise<number> {
  const read = createReadRun(pool, undefined)
  let looked: Promise<number> | undefined

  async function look(): Promise<number> {
    const number = await read((connection) => findOrGiveNumber(connection, id))
    if (number === undefined) throw new Refusal(`no project '${id}'`)
    return number
  }

  return () => {
    looked ??= look().catch((error) => {
      looked = undefined
      throw error
    })
    return looked
  }
}

/**
 * Takes seconds for each million records. The number is deleted first, which waits for writes in progress; later ones
 * are refused.
 */
function erase(connection: Connection, projectId: number): Promise<void> {
  return inLongTransaction(connection, async () => {
    await connection.db.delete(projectNumbers).where(eq(projectNumbers.number, projectId))
    for (const table of PROJECT_TABLES)
      await connection.db.execute(sql`delete from ${sql.identifier(table)} where project_id = ${projectId}`)
  })
}

/** What tables and their indexes take. */
async function measure(pool: Pool): Promise<StoreSizes> {
  const rows = await pool.use(undefined, ({ db }) =>
    db.execute(sql`select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
      where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`),
  )
  const sizes: StoreSizes = { control: 0, projects: 0 }
  for (const { name, bytes } of rows) sizes[PROJECT_TABLES.includes(name) ? 'projects' : 'control'] += bytes
  return sizes
}
