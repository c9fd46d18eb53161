import { type SQL, sql } from 'drizzle-orm'
import { StorageRefusal } from '../../errors.ts'
import type { Connection, Row } from './connection.ts'
import { isConnectionLost, isRetryable, toWriteError } from './errors.ts'
import { isCommitted, NAME, readName, type TransactionName } from './outcome.ts'
import type { Pool } from './pool.ts'
import { createPatience } from './run.ts'

/** Acts that share one transaction. */
const MAX_ACTS = 64
/** Reads after the lock see what the previous transaction committed, whatever the database's default isolation is. */
const BEGIN = sql`begin isolation level read committed`
const COMMIT = sql`commit`

type Queued<Expected> = {
  run: (connection: Connection) => Promise<void>
  expected: Expected[]
  done: () => void
  failed: (error: unknown) => void
}

/** What frames the acts of a transaction. */
export type Frame<Expected> = {
  /**
   * Statements that begin each transaction. The first locks what its acts change, so that transactions of all processes take effect one after the other.
   * `expected` is what the acts are likely to do; undefined if one act after the other is to be undone by itself, so that nothing may be written later than
   * the act that asks for it.
   */
  begin: (connection: Connection, expected: Expected[] | undefined) => SQL[]
  /** Told the rows of those statements before the first act. */
  begun: (rows: Row[][]) => void
  /** Called before and after an act that fails, so that what it left in memory is undone like what it left in the database. */
  mark: () => () => void
  /** Called after the last act: returns the statements that write what acts deferred. They are sent together with the commit. */
  end: (connection: Connection) => Promise<SQL[]>
  /** Told how many acts a transaction had, and how long it took in milliseconds. */
  committed: (acts: number, milliseconds: number) => void
  refused: (refusal: StorageRefusal) => void
}

export type Write<Expected> = <T>(act: (connection: Connection) => Promise<T>, expected?: Expected[]) => Promise<T>

/** Told the name of a transaction before its commit is sent. */
type ToCommit = (transaction: TransactionName) => void

/** An act of several failed, so that all are to be run again, each to be undone by itself. */
class RunApart extends Error {}

/**
 * Group commit for one project, or for the control data. Acts that wait together share one transaction, which takes two round trips in addition to those of
 * the acts: its first statements are pipelined, and so are its last. If an act fails, all are rolled back and run again, each in a savepoint. A transaction
 * that fails for a transient reason is run again with all its acts; one whose commit got no answer is first looked up by its number, so that no act takes
 * effect twice.
 */
export function createWriter<Expected = never>(pool: Pool, projectId: string | undefined, frame: Frame<Expected>): Write<Expected> {
  type Act = Queued<Expected>
  const queue: Act[] = []
  let running: Promise<void> | undefined

  async function runAct(connection: Connection, act: Act): Promise<boolean> {
    const undo = frame.mark()
    await connection.run('savepoint act')
    try {
      await act.run(connection)
      await connection.run('release savepoint act')
      return true
    } catch (error) {
      if (isConnectionLost(error) || isRetryable(error)) throw error
      await connection.run('rollback to savepoint act')
      undo()
      act.failed(toWriteError(error))
      return false
    }
  }

  async function begin(connection: Connection, expected: Expected[] | undefined): Promise<TransactionName> {
    const [, named = [], ...rows] = await connection.send([BEGIN, NAME, ...frame.begin(connection, expected)])
    frame.begun(rows)
    return readName(named)
  }

  async function end(connection: Connection, toCommit: () => void): Promise<void> {
    const writes = await frame.end(connection)
    toCommit()
    const answers = await connection.send([...writes, COMMIT])
    if (answers.at(-1)?.command !== 'COMMIT') throw new Error('the transaction had failed before its commit')
  }

  async function runTogether(connection: Connection, acts: Act[], toCommit: ToCommit): Promise<Act[]> {
    const expected = acts.flatMap((act) => act.expected)
    const transaction = await begin(connection, expected)
    try {
      for (const act of acts) await act.run(connection)
      await end(connection, () => toCommit(transaction))
      return acts
    } catch (error) {
      const isOfAct = !isConnectionLost(error) && !isRetryable(error)
      throw isOfAct && acts.length > 1 ? new RunApart() : error
    }
  }

  async function runApart(connection: Connection, acts: Act[], toCommit: ToCommit): Promise<Act[]> {
    const transaction = await begin(connection, undefined)
    const succeeded: Act[] = []
    for (const act of acts) if (await runAct(connection, act)) succeeded.push(act)
    await end(connection, () => toCommit(transaction))
    return succeeded
  }

  /** Runs acts in a transaction and returns those that took effect. */
  async function runActs(connection: Connection, run: typeof runApart, acts: Act[], toCommit: ToCommit): Promise<Act[]> {
    try {
      return await run(connection, acts, toCommit)
    } catch (error) {
      if (!isConnectionLost(error)) await connection.run('rollback')
      throw error
    }
  }

  async function attempt(run: typeof runApart, acts: Act[]): Promise<Act[]> {
    let transaction: TransactionName | undefined
    try {
      return await pool.use(projectId, (connection) =>
        runActs(connection, run, acts, (name) => {
          transaction = name
        }),
      )
    } catch (error) {
      if (transaction === undefined || !isConnectionLost(error)) throw error
      if (!(await isCommitted(pool, transaction))) throw error
      return acts
    }
  }

  /** @throws what has nothing to do with a single act, or is of the only one. */
  async function tryActs(acts: Act[]): Promise<Act[]> {
    try {
      return await attempt(runTogether, acts)
    } catch (error) {
      if (error instanceof RunApart) return attempt(runApart, acts)
      throw error
    }
  }

  async function commitTogether(): Promise<void> {
    const acts = queue.splice(0, MAX_ACTS)
    // An act that failed for a reason of its own is not run again.
    const open = new Set(acts)
    for (const act of acts) {
      const { failed } = act
      act.failed = (error) => {
        open.delete(act)
        failed(error)
      }
    }
    for (const mayTryAgain = createPatience(); ; ) {
      const began = performance.now()
      try {
        const succeeded = await tryActs([...open])
        frame.committed(succeeded.length, performance.now() - began)
        for (const act of succeeded) if (open.has(act)) act.done()
        return
      } catch (error) {
        if ((isRetryable(error) || isConnectionLost(error)) && (await mayTryAgain())) continue
        const failure = toWriteError(error)
        if (failure instanceof StorageRefusal) frame.refused(failure)
        for (const act of open) act.failed(failure)
        return
      }
    }
  }

  async function drain(): Promise<void> {
    await new Promise((resume) => setImmediate(resume))
    while (queue.length > 0) await commitTogether()
    running = undefined
  }

  return (act, expected = []) =>
    new Promise((resolve, reject) => {
      let value: Awaited<ReturnType<typeof act>>
      const run = async (connection: Connection) => {
        value = await act(connection)
      }
      queue.push({ run, expected, done: () => resolve(value), failed: reject })
      if (running !== undefined) return
      running = drain()
      pool.track(running)
    })
}
