import { type SQL, sql } from 'drizzle-orm'
import { StorageRefusal } from '../../errors.ts'
import type { Connection } from './connection.ts'
import { isConnectionLost, isRetryable, toWriteError } from './errors.ts'
import { isCommitted, NAME, readName, type TransactionName } from './outcome.ts'
import type { Row } from './pipeline.ts'
import type { Pool } from './pool.ts'

const BEGIN = sql`begin`
const COMMIT = sql`commit`

/**
 * An act of a transaction: `expected` is what it is likely to do, `failed` is called if it fails for a reason of its
 * own and is undone.
 */
export type Act<Expected> = {
  run: (connection: Connection) => Promise<void>
  expected: Expected[]
  failed: (error: unknown) => void
}

/** What frames the acts of a transaction. */
export type Frame<Expected> = {
  /**
   * Statements that begin each transaction. The first locks what its acts change, so that transactions of all processes
   * take effect one after the other. `expected` is what the acts are likely to do; undefined if one act after the other
   * is to be undone by itself, so that nothing may be written later than the act that asks for it.
   */
  begin: (connection: Connection, expected: Expected[] | undefined) => SQL[]
  /** How many characters are hashed and written for what is expected. */
  lengthOf: (expected: Expected) => number
  /** Told the rows of those statements before the first act. */
  begun: (rows: Row[][]) => void
  /**
   * Called before and after an act that fails, so that what it left in memory is undone like what it left in the
   * database.
   */
  mark: () => () => void
  /**
   * Called after the last act: returns the statements that write what acts deferred. They are sent together with the
   * commit.
   */
  end: (connection: Connection) => Promise<SQL[]>
  /** Told how many acts a transaction had, and how long it took in milliseconds. */
  committed: (acts: number, milliseconds: number) => void
  refused: (refusal: StorageRefusal) => void
}

/**
 * Runs acts in one transaction and returns those that took effect. @throws what has nothing to do with a single act, or
 * is of the only one.
 */
type Commit<Expected> = <Of extends Act<Expected>>(acts: Of[]) => Promise<Of[]>

/** Told the name of a transaction before its commit is sent. */
type ToCommit = (transaction: TransactionName) => void

/** How acts share a transaction. */
type Run<Expected> = <Of extends Act<Expected>>(connection: Connection, acts: Of[], toCommit: ToCommit) => Promise<Of[]>

/** An act of several failed, so that all are to be run again, each to be undone by itself. */
class RunApart extends Error {}

/**
 * A transaction takes two round trips in addition to those of its acts: its first statements are pipelined, and so are
 * its last. If an act fails, all are rolled back and run again, each in a savepoint. A transaction whose commit got no
 * answer is looked up by its number, so that no act takes effect twice.
 */
export function createCommit<Expected>(
  pool: Pool,
  projectId: number | undefined,
  frame: Frame<Expected>,
): Commit<Expected> {
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

  const runTogether: Run<Expected> = async (connection, acts, toCommit) => {
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

  const runApart: Run<Expected> = async (connection, acts, toCommit) => {
    const transaction = await begin(connection, undefined)
    const succeeded: typeof acts = []
    for (const act of acts) if (await runInSavepoint(connection, act, frame)) succeeded.push(act)
    await end(connection, () => toCommit(transaction))
    return succeeded
  }

  async function attempt<Of extends Act<Expected>>(run: Run<Expected>, acts: Of[]): Promise<Of[]> {
    let transaction: TransactionName | undefined
    const toCommit: ToCommit = (name) => {
      transaction = name
    }
    try {
      return await pool.use(projectId, (connection) => rollingBack(connection, () => run(connection, acts, toCommit)))
    } catch (error) {
      if (transaction === undefined || !isConnectionLost(error)) throw error
      if (!(await isCommitted(pool, transaction))) throw error
      return acts
    }
  }

  return async (acts) => {
    try {
      return await attempt(runTogether, acts)
    } catch (error) {
      if (error instanceof RunApart) return attempt(runApart, acts)
      throw error
    }
  }
}

async function rollingBack<Result>(connection: Connection, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isConnectionLost(error)) await connection.run('rollback')
    throw error
  }
}

/**
 * Runs an act that is undone by itself if it fails. Returns whether it succeeded. @throws what has nothing to do with
 * the act.
 */
async function runInSavepoint<Expected>(
  connection: Connection,
  act: Act<Expected>,
  { mark, refused }: Frame<Expected>,
): Promise<boolean> {
  const undo = mark()
  await connection.run('savepoint act')
  try {
    await act.run(connection)
    await connection.run('release savepoint act')
    return true
  } catch (error) {
    if (isConnectionLost(error) || isRetryable(error)) throw error
    await connection.run('rollback to savepoint act')
    undo()
    const failure = toWriteError(error)
    if (failure instanceof StorageRefusal) refused(failure)
    act.failed(failure)
    return false
  }
}
