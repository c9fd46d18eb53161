import type { SQL } from 'drizzle-orm'
import type { ExpectedSave, ProjectReads, ProjectStore, ProjectWrites } from '../../project.ts'
import { createSameReads } from '../../shared/project/facts.ts'
import { createRecordSources } from '../../shared/project/sources.ts'
import type { StoreEvents } from '../../store.ts'
import { cancellable } from '../cancellation.ts'
import type { Connection } from '../connection.ts'
import type { Pool } from '../pool.ts'
import { createLongRun, createReadRun, createWriter, type Run } from '../run.ts'
import { createIndexChanges, type IndexChanges } from './index/index-changes.ts'
import { createIndexCheck } from './index/index-check.ts'
import { createPostings, createVocabularyReads } from './index/postings.ts'
import { createInserts, type Inserts, type RecordRow } from './inserts.ts'
import { createReadAhead, type ReadAhead } from './read-ahead.ts'
import { createReads } from './reads.ts'
import type { Scope } from './scope.ts'
import { createSql } from './sql.ts'
import { lockState, type ProjectState, readState, saveState } from './state.ts'
import { createProjectWrites } from './writes.ts'

/** The verbs of one project. */
export function createProjectStore(pool: Pool, projectId: number, hooks: StoreEvents): ProjectStore {
  const run = createReadRun(pool, projectId)
  const sql = createSql({ projectId, run })
  // Callers that begin together wait for the same reads of these.
  const shared = createRecordSources(sql)
  const selectVersion = `select version from project_state where ${sql.own()}`
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
    lengthOf: ({ content }) => content.length,
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
    // Asked before every search: the query builder would take half as long as the database.
    version: async () => Number((await sql.all<{ version: string }>(selectVersion, {}))[0]?.version ?? 0),
    write: (act, saves) => write(() => act(writes()), saves),
    scrub: async () => {},
  }
}

/**
 * The transaction in progress (a project has one at a time in a process): its connection, and the row of the project
 * that it locked.
 */
function createTransaction() {
  let connection: Connection | undefined
  let state: ProjectState | undefined
  let mode: 'together' | 'apart' = 'apart'
  const require = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('no write is under way')
    return value
  }
  return {
    begin: (on: Connection, how: typeof mode) => {
      connection = on
      mode = how
    },
    setState: (locked: ProjectState) => {
      state = locked
    },
    connection: () => require(connection),
    state: () => require(state),
    /** Whether acts are undone one by one, so that nothing may be written later than the act that asks for it. */
    isApart: () => mode === 'apart',
  }
}

type Transaction = {
  projectId: number
  transaction: ReturnType<typeof createTransaction>
  changes: IndexChanges
  inserts: Inserts
  ahead: ReadAhead
}

/** The verbs of whatever transaction is in progress: to make them anew for each would take a tenth of a save. */
function createTx({ projectId, transaction, changes, inserts, ahead }: Transaction): ProjectWrites {
  const run: Run = async (verb) => {
    // Both are under way at once; where the first fails, so does what follows in the transaction, for that reason.
    const [flushed, done] = await Promise.allSettled([
      inserts.flush(transaction.connection()),
      verb(transaction.connection()),
    ])
    if (flushed.status === 'rejected') throw flushed.reason
    if (done.status === 'rejected') throw done.reason
    return done.value
  }
  const flushed: Run = async (verb) => {
    await changes.flush(transaction.connection())
    return run(verb)
  }
  const insert = async (row: RecordRow): Promise<void> => {
    inserts.add(row)
    if (transaction.isApart()) await inserts.flush(transaction.connection())
  }
  const later = async (statement: SQL): Promise<void> => {
    inserts.addStatement(statement)
    if (transaction.isApart()) await inserts.flush(transaction.connection())
  }
  const scope = { projectId, run, later }
  const reads = createReads(scope)
  const afterwards = createFlushedReads({ projectId, run: flushed })
  const findWorkspace: ProjectReads['findWorkspace'] = (name, writtenFor) =>
    writtenFor === undefined ? reads.findWorkspace(name) : afterwards.findWorkspace(name, writtenFor)
  return {
    ...reads,
    ...afterwards,
    ...createLockedReads(transaction.state, afterwards),
    ...createProjectWrites({ ...scope, insert, state: transaction.state, changes, ahead }),
    ...ahead.wrap({ ...reads, findWorkspace, ...createSameReads(createSql(scope)) }),
  }
}

/** What a write knows of the locked row, which it changes in memory. */
function createLockedReads(state: () => ProjectState, { readIndexFacts }: Pick<ProjectReads, 'readIndexFacts'>) {
  return {
    readUsage: async () => {
      const { records, contentBytes } = state()
      return { records, contentBytes }
    },
    readIndexFacts: async (...asked: Parameters<typeof readIndexFacts>) => {
      const { rules, target, reached } = state()
      const indexing = rules === null ? undefined : { rules, target: target ?? 0, reached: reached ?? 0 }
      return { ...(await readIndexFacts(...asked)), indexing }
    },
  }
}

/** Reads of what a write changes only before its end: in a write, that is done first. */
function createFlushedReads(scope: Scope) {
  const { listWorkspaces, findWorkspace, findWorkspaceInAnyCase, readIndexFacts } = createReads(scope)
  return {
    listWorkspaces,
    findWorkspace,
    findWorkspaceInAnyCase,
    readIndexFacts,
    ...createPostings(scope),
    ...createVocabularyReads(scope),
    ...createIndexCheck(scope),
  }
}
