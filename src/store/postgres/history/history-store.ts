import type { HistoryReads, HistoryStore, HistoryWrites } from '../../history.ts'
import type { StoreEvents } from '../../store.ts'
import type { Pool } from '../pool.ts'
import type { Scope } from '../project/scope.ts'
import { createReadRun, type Run } from '../run.ts'
import { createWriter } from '../write.ts'
import { createLineReads, createLineWrites } from './lines.ts'
import { createCountBytes, createOwnerReads } from './owners.ts'
import { createSourceReads, createSourceWrites } from './sources.ts'
import { type HistoryState, lockHistory, readHistory, saveHistory } from './state.ts'

/** The verbs of the session histories of one project. */
export function createHistoryStore(pool: Pool, projectId: string, requireProject: () => Promise<void>, hooks: StoreEvents) {
  const read = createReadRun(pool, projectId)
  const run: Run = async (act) => {
    await requireProject()
    return read(act)
  }
  let state: HistoryState | undefined
  const getState = () => {
    if (state === undefined) throw new Error('no write is under way')
    return state
  }
  const write = createWriter(pool, projectId, {
    ...hooks,
    begin: (connection) => [lockHistory(connection, projectId)],
    begun: ([rows = []]) => {
      state = readHistory(rows)
    },
    mark: () => {
      const before = { ...getState() }
      return () => {
        state = before
      }
    },
    end: async (connection) => [saveHistory(connection, projectId, getState())],
  })
  const store: HistoryStore = {
    ...createReads({ projectId, run }),
    write: async (act) => {
      await requireProject()
      return write((connection) => {
        const scope: Scope = { projectId, run: (verb) => verb(connection) }
        return act({ ...createReads(scope), ...createWrites(scope, getState) })
      })
    },
    // What is deleted is taken out of the tables by the database's own vacuum.
    scrub: async () => {},
  }
  return store
}

const createReads = (scope: Scope): HistoryReads => ({
  ...createSourceReads(scope),
  ...createLineReads(scope),
  ...createOwnerReads(scope),
})

function createWrites(scope: Scope, state: () => HistoryState): HistoryWrites {
  const countBytes = createCountBytes(scope)
  return {
    ...createSourceWrites(scope, countBytes),
    ...createLineWrites(scope, state, countBytes),
  }
}
