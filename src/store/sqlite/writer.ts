import type { Database } from 'bun:sqlite'
import { yieldIfDue } from '../../cooperative.ts'
import { whenFree } from './busy.ts'
import { toWriteError } from './full.ts'
import { MERGED_PAGES, type Merging } from './merging.ts'

type Waiting = { run: () => Promise<void>; done: () => void; failed: (error: unknown) => void }

/** Most acts that share one transaction. */
const MAX_ACTS = 128
/** Time after which a transaction takes up no further act, in milliseconds: nobody else is served until it is committed. */
const WORK_MS = 4
/** Bytes put off to the end of a transaction after which it takes up no further act: the index takes some 10 ms for each MiB of words. */
const MAX_LATER_BYTES = 256 * 1024

/**
 * Pages that are merged for each row a transaction changed in the index, at most: each page is merged once for each size of pieces, of which
 * there are some five in a large index. Nothing is merged beyond what there is to merge.
 */
const MERGED_FOR_EACH = 8
/** Pages still to be merged from which on merging goes before acts: as many as a burst of saves may leave. */
const MAX_DEBT = 512

/** What acts put off to the end of their transaction, each with about how many bytes it writes. */
export type Later = { run: () => void; bytes: number }[]

export type Writer = {
  /** Runs the act in a transaction and answers after the commit. An act must await nothing but its own verbs. */
  write: <T>(act: () => Promise<T>) => Promise<T>
  /** Resolves when no act waits any more. */
  settle: () => Promise<void>
}

/**
 * Group commit: acts that wait together share one transaction, each in a savepoint of its own, with no delay added; between two
 * transactions whatever else the process has to do is done. What acts put into `later` is done once before the commit; what a failed one
 * put there is not. `committed` is told of each commit. Where there is an index, its pieces are merged after transactions that added to it, in
 * steps of their own between which others are served.
 */
export function createWriter(database: Database, later: Later, committed: () => void, merging?: Merging): Writer {
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
  /** Pages of the index that are still to be merged, at most. */
  let debt = 0

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

  async function commitTogether(): Promise<void> {
    const acts: Waiting[] = []
    try {
      await whenFree(() => statements.begin.run())
      await runActs(acts)
      commit()
      for (const act of acts) act.done()
    } catch (error) {
      for (const act of acts.length > 0 ? acts : queue.splice(0, MAX_ACTS)) act.failed(toWriteError(error))
      undoAll()
    } finally {
      later.length = 0
    }
  }

  /** FTS5 writes out at the commit what was put into the index. */
  function commit(): void {
    const before = later.length > 0 ? (merging?.countChanges() ?? 0) : undefined
    for (const finish of later) finish.run()
    statements.commit.run()
    committed()
    if (before !== undefined && merging !== undefined) debt += (merging.countChanges() - before) * MERGED_FOR_EACH
  }

  /** One step of merging. Where it cannot be written, because the disk is full or another process holds the file, it is left for another time. */
  function mergeSome(): void {
    try {
      statements.begin.run()
      const isMore = merging?.step() ?? false
      statements.commit.run()
      committed()
      debt = isMore ? debt - MERGED_PAGES : 0
    } catch {
      debt = 0
      undoAll()
    }
  }

  /** Runs waiting acts, at least one, until the transaction is full, and puts each into `acts` before. */
  async function runActs(acts: Waiting[]): Promise<void> {
    const end = performance.now() + WORK_MS
    const isFull = () => acts.length >= MAX_ACTS || performance.now() >= end || sumBytes(later) >= MAX_LATER_BYTES
    for (let act = queue.shift(); act !== undefined; act = isFull() ? undefined : queue.shift()) {
      acts.push(act)
      await runAct(act)
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
    while (queue.length > 0 || debt > 0) {
      await yieldIfDue()
      if (queue.length > 0 && debt < MAX_DEBT) await commitTogether()
      else mergeSome()
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

const sumBytes = (later: Later) => later.reduce((sum, { bytes }) => sum + bytes, 0)
