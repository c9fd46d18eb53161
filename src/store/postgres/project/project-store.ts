import { eq } from 'drizzle-orm'
import type { ExpectedSave, ProjectStore, ProjectWrites } from '../../project.ts'
import { createRecordSources } from '../../shared/project/sources.ts'
import type { StoreEvents } from '../../store.ts'
import { cancellable } from '../cancellation.ts'
import type { Pool } from '../pool.ts'
import { createLongRun, createReadRun } from '../run.ts'
import { projectState } from '../schema/project.ts'
import { createWriter } from '../write.ts'
import { createIndexChanges } from './index/index-changes.ts'
import { createIndexCheck } from './index/index-check.ts'
import { createInserts } from './inserts.ts'
import { createReadAhead } from './read-ahead.ts'
import { createReads } from './reads.ts'
import { createSql } from './sql.ts'
import { lockState, readState, saveState } from './state.ts'
import { createTransaction, createTx } from './transaction.ts'

/** The verbs of one project. */
export function createProjectStore(pool: Pool, projectId: number, hooks: StoreEvents): ProjectStore {
  const run = createReadRun(pool, projectId)
  // Callers that begin together wait for the same reads of these.
  const shared = createRecordSources(createSql({ projectId, run }))
  const changes = createIndexChanges(projectId)
  const inserts = createInserts()
  const ahead = createReadAhead(projectId)
  const transaction = createTransaction()
  const write = createWriter<ExpectedSave>(pool, projectId, {
    ...hooks,
    begin: (connection, expected) => {
      changes.clear()
      inserts.clear()
      transaction.begin(connection, expected === undefined ? 'apart' : 'together')
      return [lockState(projectId), ...ahead.begin(expected ?? [])]
    },
    begun: ([state = [], ...rows]) => {
      transaction.setState(readState(state))
      ahead.begun(rows)
    },
    mark: () => {
      const undoChanges = changes.mark()
      const before = { ...transaction.state() }
      return () => {
        undoChanges()
        ahead.clear()
        transaction.setState(before)
      }
    },
    end: async (connection) => [
      ...inserts.take(),
      ...(await changes.take(connection)),
      saveState(projectId, transaction.state()),
    ],
  })
  // Made by the first write: it takes a third of a millisecond, which most projects that are only searched need not.
  let tx: ProjectWrites | undefined
  const writes = () => (tx ??= createTx({ projectId, transaction, changes, inserts, ahead }))
  return {
    ...createReads({ projectId, run: cancellable(run) }),
    ...createIndexCheck({ projectId, run: createLongRun(pool, projectId) }),
    ...shared,
    version: () =>
      run(async ({ db }) => {
        const { version } = projectState
        return (
          (await db.select({ version }).from(projectState).where(eq(projectState.projectId, projectId)))[0]?.version ??
          0
        )
      }),
    write: (act, saves) => write(() => act(writes()), saves),
    scrub: async () => {},
  }
}
