import type { Database } from 'bun:sqlite'
import { whenFree } from './busy.ts'
import { toWriteError } from './full.ts'

type Waiting = { run: () => Promise<void>; done: () => void; failed: (error: unknown) => void }

/** Most acts that share one transaction: bounds the time in which nobody else is served. */
const MOST_TOGETHER = 128

/** Statements that acts put off to the end of their transaction. */
export type Later = (() => void)[]

export type Writer = {
  /** Runs the act in a transaction and answers after the commit. An act must await nothing but its own verbs. */
  write: <T>(act: () => Promise<T>) => Promise<T>
  /** Resolves when no act waits any more. */
  settle: () => Promise<void>
}

/**
 * Group commit: acts that wait together share one transaction, each in a savepoint of its own, with no delay added. What acts put into
 * `later` is done once before the commit; what a failed one put there is not. `committed` is told of each commit.
 */
export function createWriter(database: Database, later: Later, committed: () => void): Writer {
  const statements = {
    begin: database.prepare('begin immediate'),
    commit: database.prepare('commit'),
    rollback: database.prepare('rollback'),
    savepoint: database.prepare('savepoint act'),
    release: database.prepare('release act'),
    undo: database.prepare('rollback to act'),
  }
  const queue: Waiting[] = []
  let running: Promise<void> | undefined

  async function runAct(act: Waiting): Promise<void> {
    const before = later.length
    statements.savepoint.run()
    try {
      await act.run()
    } catch (error) {
      // A full disk may have ended the whole transaction, and every act in it.
      if (!database.inTransaction) throw error
      statements.undo.run()
      later.length = before
      act.failed(toWriteError(error))
    }
    statements.release.run()
  }

  async function commitTogether(acts: Waiting[]): Promise<void> {
    try {
      await whenFree(() => statements.begin.run())
      for (const act of acts) await runAct(act)
      for (const finish of later) finish()
      statements.commit.run()
      committed()
      for (const act of acts) act.done()
    } catch (error) {
      for (const act of acts) act.failed(toWriteError(error))
      undoAll()
    } finally {
      later.length = 0
    }
  }

  /** What stands in its way stands in the way of the next transaction, whose acts are told. */
  function undoAll(): void {
    try {
      if (database.inTransaction) statements.rollback.run()
    } catch {}
  }

  async function drain(): Promise<void> {
    await new Promise((resume) => setImmediate(resume))
    while (queue.length > 0) await commitTogether(queue.splice(0, MOST_TOGETHER))
    running = undefined
  }

  return {
    write: (act) =>
      new Promise((resolve, reject) => {
        let value: Awaited<ReturnType<typeof act>>
        const run = async () => {
          value = await act()
        }
        queue.push({ run, done: () => resolve(value), failed: reject })
        running ??= drain()
      }),
    settle: async () => {
      while (running !== undefined) await running
    },
  }
}
