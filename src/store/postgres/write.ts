import { StorageRefusal } from '../../errors.ts'
import { type Act, createCommit, type Frame } from './commit.ts'
import type { Connection } from './connection.ts'
import { isConnectionLost, isRetryable, toWriteError } from './errors.ts'
import type { Pool } from './pool.ts'
import { createPatience } from './run.ts'

/** Acts that share one transaction. */
const MAX_ACTS = 64

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
