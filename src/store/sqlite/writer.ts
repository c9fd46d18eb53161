import { isWorkWaiting, yieldIfDue } from '../../cooperative.ts'
import type { Connection } from './connection.ts'
import { whenFree } from './errors.ts'
import type { Merging } from './merging.ts'

type Queued = { run: () => Promise<void>; done: () => void; failed: (error: unknown) => void }

/** Maximum number of acts in one transaction. */
const MAX_ACTS = 128
/**
 * Once this many bytes are deferred to the end of a transaction, it takes no further act. FTS5 collects them in memory,
 * about a hundred bytes for each new term, and flushes above a MiB: a text of 64 KiB with only distinct words takes
 * about 3 ms of CPU with the commit, twice as long where memory is virtual, and four, which make it flush twice, 10 to
 * 17 ms.
 */
const MAX_DEFERRED_BYTES = 48 * 1024

/** How long a transaction waits for acts that are still being prepared. */
const MAX_COLLECTING_MS = 8

/**
 * Changes that acts have deferred to the end of their transaction, with the approximate number of bytes that each
 * writes.
 */
export type Later = { run: () => void; bytes: number }[]

export type Writer = {
  /**
   * Runs the act in a transaction and resolves after the commit. The act must await nothing but verbs on the same
   * connection.
   */
  write: <T>(act: () => Promise<T>) => Promise<T>
  /** Resolves when no act is queued or running any more. */
  settle: () => Promise<void>
}

type Hooks = {
  /**
   * Time after which a transaction takes no further act or step of merging. Until the commit, this process does nothing
   * else, and no other process writes.
   */
  maxTransactionMs: number
  committed: (acts: number, milliseconds: number) => void
  /** Called after each commit; throws if what was committed is lost. */
  requireKept: () => void
  toFailure: (error: unknown) => unknown
}

/**
 * Group commit: acts that are queued together share one transaction, each in a savepoint of its own. Between two
 * transactions the process does other work. What acts put into `later` runs once before the commit, unless the act
 * failed, because FTS5 flushes its buffers at every savepoint, which would cost more than the rest of a save.
 * `committed` is called after each commit with the number of acts and the durations of the acts and of the commit;
 * `toFailure` converts errors for the acts. After transactions that added to the index, its segments are merged in
 * transactions of their own.
 */
export function createWriter(
  database: Connection,
  later: Later,
  { maxTransactionMs, committed, requireKept, toFailure }: Hooks,
  merging?: Merging,
): Writer {
  const statements = {
    begin: database.statement('begin immediate'),
    commit: database.statement('commit'),
    rollback: database.statement('rollback'),
    savepoint: database.statement('savepoint act'),
    release: database.statement('release act'),
    undo: database.statement('rollback to act'),
  }
  const queue: Queued[] = []
  let running: Promise<void> | undefined

  async function runAct(act: Queued): Promise<void> {
    const before = later.length
    statements.savepoint.run()
    try {
      await act.run()
    } catch (error) {
      // A full disk may have rolled back the whole transaction, with every act in it.
      if (!database.inTransaction) throw error
      statements.undo.run()
      later.length = before
      act.failed(toFailure(error))
    }
    statements.release.run()
  }

  async function commitTogether(): Promise<void> {
    const acts: Queued[] = []
    try {
      await whenFree(() => statements.begin.run())
      const startedAt = performance.now()
      await runActs(acts)
      commit(acts.length, startedAt)
      for (const act of acts) act.done()
    } catch (error) {
      const failure = toFailure(error)
      for (const act of acts.length > 0 ? acts : queue.splice(0, MAX_ACTS)) act.failed(failure)
      undoAll()
    } finally {
      later.length = 0
    }
  }

  function commit(acts: number, startedAt: number): void {
    if (later.length > 0) changeIndex()
    statements.commit.run()
    requireKept()
    committed(acts, performance.now() - startedAt)
  }

  function changeIndex(): void {
    const runLater = () => {
      for (const change of later) change.run()
    }
    if (merging === undefined) runLater()
    else merging.addSegment(runLater)
  }

  /**
   * A transaction of steps of merging. If it cannot be written, because the disk is full or another process holds the
   * file, it is left to later ones.
   */
  function mergeSome(merging: Merging): void {
    try {
      statements.begin.run()
      const end = performance.now() + maxTransactionMs
      do merging.step()
      while (merging.isDue() && performance.now() < end)
      statements.commit.run()
      committed(0, 0)
    } catch {
      merging.postpone()
      undoAll()
    }
  }

  /** Runs queued acts, at least one, until the transaction is full. Each is put into `acts` before it runs. */
  async function runActs(acts: Queued[]): Promise<void> {
    const end = performance.now() + maxTransactionMs
    const isFull = () => acts.length >= MAX_ACTS || performance.now() >= end || sumBytes(later) >= MAX_DEFERRED_BYTES
    for (let act = queue.shift(); act !== undefined; act = isFull() ? undefined : queue.shift()) {
      acts.push(act)
      await runAct(act)
    }
  }

  /** If the rollback fails too, the next transaction fails for the same reason, and reports it to its acts. */
  function undoAll(): void {
    try {
      if (database.inTransaction) statements.rollback.run()
    } catch {}
  }

  /** Lets other work go on: some of it may prepare further acts for the next transaction. */
  async function collectActs(): Promise<void> {
    const end = performance.now() + MAX_COLLECTING_MS
    do await yieldIfDue()
    while (isWorkWaiting() && queue.length < MAX_ACTS && performance.now() < end)
  }

  async function drain(): Promise<void> {
    await nextTurn()
    while (queue.length > 0 || merging?.isDue()) {
      // Answers to the acts just committed leave before segments are merged, which takes a commit more.
      if (queue.length === 0) await nextTurn()
      await collectActs()
      const isForMerging = merging !== undefined && (queue.length === 0 || merging.isUrgent())
      if (isForMerging) mergeSome(merging)
      else await commitTogether()
    }
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

const nextTurn = () => new Promise((resume) => setImmediate(resume))

const sumBytes = (later: Later) => later.reduce((sum, { bytes }) => sum + bytes, 0)
