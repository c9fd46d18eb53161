import { drizzle } from 'drizzle-orm/pg-proxy'
import { StorageRefusal } from '../../errors.ts'
import { type Act, createCommit, type Frame } from './commit.ts'
import type { Connection } from './connection.ts'
import { isConnectionLost, isRetryable, toReadError, toWriteError } from './errors.ts'
import type { Pool } from './pool.ts'
import { inLongTransaction } from './use-connection.ts'

/** Runs statements on the connection of the write, otherwise on the next free one. */
export type Run = <T>(act: (connection: Connection) => Promise<T>) => Promise<T>

/** How long a restart of the database is waited for. */
const PATIENCE_MS = 5_000
const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 500

/**
 * Returns a function to call before each retry after a lost connection: it waits, longer each time, or returns false
 * once a restart would have finished.
 */
function createPatience(patienceMs = PATIENCE_MS): () => Promise<boolean> {
  const end = performance.now() + patienceMs
  let pause = FIRST_PAUSE_MS
  return async () => {
    if (performance.now() > end) return false
    await Bun.sleep(pause * (0.5 + Math.random()))
    pause = Math.min(MAX_PAUSE_MS, pause * 2)
    return true
  }
}

/**
 * Runs reads on the next free connection, and again where it is lost, or where the database ended one of two that
 * waited for each other, as those that count in windows may. @throws StorageDown if the database cannot be reached, or
 * does not answer in time.
 */
export function createReadRun(pool: Pool, projectId: number | undefined, patienceMs = PATIENCE_MS): Run {
  return async (act) => {
    for (const mayTryAgain = createPatience(patienceMs); ; ) {
      try {
        return await pool.use(projectId, act)
      } catch (error) {
        if (!(isConnectionLost(error) || isRetryable(error)) || !(await mayTryAgain())) throw toReported(pool, error)
      }
    }
  }
}

/** Longest that one read of all of a project takes. */
const MAX_LONG_READ_MS = 3_600_000

/**
 * Runs reads of all of a project, which take by its size, without the time-outs of others and only once. @throws
 * StorageDown as other reads do.
 */
export function createLongRun(pool: Pool, projectId: number): Run {
  return (act) =>
    pool
      .use(projectId, (connection) => inLongTransaction(connection, () => act(connection)), MAX_LONG_READ_MS)
      .catch((error) => {
        throw toReported(pool, error)
      })
}

/** The error for the caller; the operator is told of it here. */
function toReported(pool: Pool, error: unknown): unknown {
  const failure = toReadError(error)
  if (failure instanceof StorageRefusal) pool.refused(failure)
  return failure
}

/** A query builder whose statements run each by itself. */
export const createDatabase = (run: Run) =>
  drizzle(
    (statement, params, method) =>
      run(async ({ db: { $client } }) => {
        const query = $client.unsafe(statement, params)
        return { rows: await (method === 'all' ? query.values() : query) }
      }),
    { casing: 'snake_case' },
  )

/** Acts that share one transaction. */
const MAX_ACTS = 64
/** Characters from which on no other act joins them: all are hashed and encoded in one turn of the event loop. */
const MAX_CHARACTERS = 1 << 19

type Queued<Expected> = Act<Expected> & { done: () => void }

export type Write<Expected> = <T>(act: (connection: Connection) => Promise<T>, expected?: Expected[]) => Promise<T>

/**
 * Group commit for one project, or for the control data: acts that wait together share one transaction. A transaction
 * that fails for a transient reason is run again with all its acts.
 */
export function createWriter<Expected = never>(
  pool: Pool,
  projectId: number | undefined,
  frame: Frame<Expected>,
): Write<Expected> {
  const queue: Queued<Expected>[] = []
  const commit = createCommit(pool, projectId, frame)
  let running: Promise<void> | undefined

  function takeActs(): Queued<Expected>[] {
    let characters = 0
    const end = queue.findIndex(({ expected }, at) => {
      for (const save of expected) characters += frame.lengthOf(save)
      return at === MAX_ACTS || (at > 0 && characters > MAX_CHARACTERS)
    })
    return queue.splice(0, end === -1 ? queue.length : end)
  }

  async function commitTogether(): Promise<void> {
    const acts = takeActs()
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
        const succeeded = await commit([...open])
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
