import { sql } from 'drizzle-orm'
import { Refusal, StorageRefusal } from '../../errors.ts'
import type { Connection } from './connection.ts'
import { isConnectionLost, isRetryable, toState, toWriteError } from './errors.ts'
import type { Pool } from './pool.ts'
import { createPatience } from './run.ts'

/** Acts that share one transaction. */
const MAX_ACTS = 64
/** How long the outcome of a commit is asked for where the connection broke before the answer. */
const OUTCOME_TIMEOUT_MS = 10_000

type Queued<Expected> = {
  run: (connection: Connection) => Promise<void>
  expected: Expected[]
  done: () => void
  failed: (error: unknown) => void
}

/** What frames the acts of a transaction. */
export type Frame<Expected> = {
  /**
   * Called first in each transaction: locks what its acts change, so that transactions of all processes take effect one after the other. `expected` is what the acts are
   * likely to do; undefined where one act after the other is to be undone by itself, so that nothing may be written later than the act that asks for it.
   */
  begin: (connection: Connection, expected: Expected[] | undefined) => Promise<void>
  /** Called before and after an act that fails, so that what it left in memory is undone like what it left in the database. */
  mark: () => () => void
  /** Called before the commit: writes what acts deferred. */
  end: (connection: Connection) => Promise<void>
  /** Told how many acts a transaction had, and how long it took in milliseconds. */
  committed: (acts: number, milliseconds: number) => void
  refused: (refusal: StorageRefusal) => void
}

export type Write<Expected> = <T>(act: (connection: Connection) => Promise<T>, expected?: Expected[]) => Promise<T>

/** An act of several failed, so that all are to be run again, each to be undone by itself. */
class RunApart extends Error {}

/**
 * Writes of one project, or of the control data. Acts that wait together share one transaction, and so its round trips and its commit. Where one of them fails, all are undone
 * and run again, each in a savepoint. A transaction that fails for a reason that may pass is run anew, with all its acts; one whose commit got no answer is looked up by its
 * number first, so that no act takes effect twice.
 */
export function createWriter<Expected = never>(pool: Pool, projectId: string | undefined, frame: Frame<Expected>): Write<Expected> {
  const queue: Queued<Expected>[] = []
  let running: Promise<void> | undefined

  async function runAct(connection: Connection, act: Queued<Expected>): Promise<boolean> {
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

  async function runTogether(connection: Connection, acts: Queued<Expected>[]): Promise<Queued<Expected>[]> {
    await frame.begin(
      connection,
      acts.flatMap(({ expected }) => expected),
    )
    try {
      for (const act of acts) await act.run(connection)
      await frame.end(connection)
      return acts
    } catch (error) {
      const isOfAct = !isConnectionLost(error) && !isRetryable(error)
      throw isOfAct && acts.length > 1 ? new RunApart() : error
    }
  }

  async function runApart(connection: Connection, acts: Queued<Expected>[]): Promise<Queued<Expected>[]> {
    await frame.begin(connection, undefined)
    const succeeded: Queued<Expected>[] = []
    for (const act of acts) if (await runAct(connection, act)) succeeded.push(act)
    await frame.end(connection)
    return succeeded
  }

  /** Runs acts in a transaction and returns those that took effect. `toCommit` is told the transaction's number. */
  async function runActs(connection: Connection, run: typeof runApart, acts: Queued<Expected>[], toCommit: (transaction: string) => void) {
    await connection.run('begin')
    try {
      const succeeded = await run(connection, acts)
      const [row] = await connection.db.execute<{ transaction: string }>(sql`select pg_current_xact_id()::text as transaction`)
      toCommit(row?.transaction ?? '')
      await connection.run('commit')
      return succeeded
    } catch (error) {
      if (!isConnectionLost(error)) await connection.run('rollback')
      throw error
    }
  }

  async function attempt(run: typeof runApart, acts: Queued<Expected>[]): Promise<Queued<Expected>[]> {
    let transaction: string | undefined
    try {
      return await pool.use(projectId, (connection) =>
        runActs(connection, run, acts, (number) => {
          transaction = number
        }),
      )
    } catch (error) {
      if (transaction === undefined || !isConnectionLost(error)) throw error
      if (!(await isCommitted(pool, transaction))) throw error
      return acts
    }
  }

  /** @throws what has nothing to do with a single act, or is of the only one. */
  async function tryActs(acts: Queued<Expected>[]): Promise<Queued<Expected>[]> {
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

/** The connection broke at the commit, and no other one told how it ended. */
class UnknownOutcome extends Refusal {
  constructor() {
    super('the database was lost during the commit; look whether it was saved before you try again')
  }
}

/** Whether a transaction took effect. Waits while it is in progress, and until a connection can be made; rejects when that takes too long. */
async function isCommitted(pool: Pool, transaction: string): Promise<boolean> {
  for (const end = Date.now() + OUTCOME_TIMEOUT_MS; Date.now() < end; await Bun.sleep(50)) {
    try {
      const [row] = await pool.use(undefined, ({ db }) =>
        db.execute<{ status: string }>(sql`select pg_xact_status(${transaction}::xid8) as status`),
      )
      if (row?.status === 'committed') return true
      if (row?.status === 'aborted') return false
    } catch (error) {
      if (!isConnectionLost(error) && toState(error) === undefined) throw error
    }
  }
  throw new UnknownOutcome()
}
