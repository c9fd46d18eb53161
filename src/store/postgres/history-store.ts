import { and, arrayOverlaps, desc, eq, sql } from 'drizzle-orm'
import type { HistoryStore } from '../history-verbs.ts'
import { toCause, withFailures } from '../shared/engine.ts'
import { createHistoryReads, createHistoryWrites } from '../shared/history/history.ts'
import type { HistoryEngine, WordIndex } from '../shared/history/tables.ts'
import type { StoreEvents } from '../store.ts'
import { DIALECT } from './among.ts'
import type { Pool } from './pool.ts'
import { lockNumber, requireLocked } from './project-numbers.ts'
import { createDatabase, createReadRun, createWriter } from './run.ts'
import * as history from './schema/history.ts'
import { historyState, passages } from './schema/history.ts'

const toEngine = (projectId: number, db: unknown): HistoryEngine => ({
  db: db as HistoryEngine['db'],
  tables: history as unknown as HistoryEngine['tables'],
  ...DIALECT,
  own: { projectId },
  words: createHistoryWords(projectId, db as ReturnType<typeof createDatabase>),
})

/**
 * Words are numbers of a column; PostgreSQL's are signed. Reads all passages of the project, some 4 000 in a
 * millisecond.
 */
function createHistoryWords(projectId: number, db: ReturnType<typeof createDatabase>): WordIndex {
  const signed = (words: number[]) => words.map((word) => word | 0)
  return {
    columns: (words) => ({ words: signed(words) }),
    add: () => {},
    remove: () => {},
    find: async ({ ownerId, words, limit }) => {
      const { id, ownerId: owner, words: column } = passages
      const isFound = and(eq(passages.projectId, projectId), eq(owner, ownerId), arrayOverlaps(column, signed(words)))
      const found = db.select({ id }).from(passages).where(isFound)
      return (await found.orderBy(desc(id)).limit(limit)).map((one) => one.id)
    },
  }
}

/** The verbs of the session histories of one project. */
export function createHistoryStore(pool: Pool, projectId: number, hooks: StoreEvents): HistoryStore {
  /** The number of the last block, of the row that the transaction has locked. */
  let lastBlockId = 0
  const write = createWriter(pool, projectId, {
    ...hooks,
    begin: () => [
      sql`insert into history_state as state (project_id) select number from (${lockNumber(projectId)}) as locked
        on conflict (project_id) do update set last_block_id = state.last_block_id returning last_block_id`,
    ],
    lengthOf: () => 0,
    begun: ([rows = []]) => {
      lastBlockId = Number(requireLocked(rows[0]).last_block_id)
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
    ...withFailures(toCause, createHistoryReads(toEngine(projectId, createDatabase(createReadRun(pool, projectId))))),
    write: (act) =>
      write(({ db }) =>
        act(createHistoryWrites({ ...toEngine(projectId, db), erased: () => {} }, () => ({ id: ++lastBlockId }))),
      ),
    // What is deleted is taken out of the tables by the database's own vacuum.
    scrub: async () => {},
  }
}
