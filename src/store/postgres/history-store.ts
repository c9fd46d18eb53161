import { eq, sql } from 'drizzle-orm'
import type { HistoryStore } from '../history.ts'
import { toCause, withFailures } from '../shared/engine.ts'
import { createHistoryReads, createHistoryWrites } from '../shared/history/history.ts'
import type { HistoryEngine } from '../shared/history/tables.ts'
import type { StoreEvents } from '../store.ts'
import { isAmong, toRows } from './among.ts'
import type { Pool } from './pool.ts'
import { createDatabase, createReadRun, type Run } from './run.ts'
import { historyBlocks, historyLines, historyOwners, historySources, historyState } from './schema/history.ts'
import { createWriter } from './write.ts'

const tables = {
  sources: historySources,
  lines: historyLines,
  blocks: historyBlocks,
  owners: historyOwners,
} as unknown as HistoryEngine['tables']

const toEngine = (projectId: string, db: unknown): HistoryEngine => ({
  db: db as HistoryEngine['db'],
  tables,
  place: sql`ctid`,
  own: { projectId },
  isAmong,
  toRows,
})

/** The verbs of the session histories of one project. */
export function createHistoryStore(
  pool: Pool,
  projectId: string,
  requireProject: () => Promise<void>,
  hooks: StoreEvents,
): HistoryStore {
  const read = createReadRun(pool, projectId)
  const run: Run = async (act) => {
    await requireProject()
    return read(act)
  }
  /** The number of the last block, of the row that the transaction has locked. */
  let lastBlockId = 0
  const write = createWriter(pool, projectId, {
    ...hooks,
    begin: ({ db }) => [
      db
        .insert(historyState)
        .values({ projectId })
        .onConflictDoUpdate({ target: historyState.projectId, set: { lastBlockId: sql`${historyState.lastBlockId}` } })
        .returning({ lastBlockId: historyState.lastBlockId })
        .getSQL(),
    ],
    begun: ([rows = []]) => {
      lastBlockId = Number(rows[0]?.last_block_id)
    },
    mark: () => {
      const before = lastBlockId
      return () => {
        lastBlockId = before
      }
    },
    end: async ({ db }) => [
      db.update(historyState).set({ lastBlockId }).where(eq(historyState.projectId, projectId)).getSQL(),
    ],
  })
  return {
    ...withFailures(toCause, createHistoryReads(toEngine(projectId, createDatabase(run)))),
    write: async (act) => {
      await requireProject()
      return write(({ db }) => act(createHistoryWrites(toEngine(projectId, db), () => ({ id: ++lastBlockId }))))
    },
    // What is deleted is taken out of the tables by the database's own vacuum.
    scrub: async () => {},
  }
}
