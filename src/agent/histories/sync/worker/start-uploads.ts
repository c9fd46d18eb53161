import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '../../../../clock.ts'
import { readStateDir } from '../../../config.ts'
import { createServiceClient } from '../../../service-client.ts'
import { readHistory } from '../../discover.ts'
import type { Machine } from '../../source.ts'
import { openSyncDatabase, type SyncDatabase } from '../database.ts'
import { runUploads } from '../loop.ts'
import type { Uploader } from '../pass.ts'
import type { Target } from '../target.ts'
import { readWakeTime } from '../wake.ts'
import { createSyncClient } from '../wire.ts'

/** How long a write to the database waits for other processes. */
const BUSY_MS = 5_000

/** How often a request for uploads is looked for. */
const WAKE_INTERVAL_MS = 2 * SECOND_MS

type Start = { machine: Machine; target: Target }

/**
 * Messages of the agent to its worker thread that uploads. The first is `start`; `stop` ends the uploads before the
 * next segment.
 */
export type ToWorker = ({ kind: 'start' } & Start) | { kind: 'stop' }

/** The worker has ended by itself; with `failure`, because of an error. */
export type FromWorker = { kind: 'ended'; failure?: string }

/** The context of a target's uploads. `signal` ends them before their next segment. */
export function openUploader(database: SyncDatabase, { machine, target }: Start, signal: AbortSignal): Uploader {
  return {
    database,
    target,
    client: createSyncClient(createServiceClient(machine.environment), target),
    machine,
    read: readHistory,
    known: new Map(),
    pid: process.pid,
    signal,
    now: Date.now,
  }
}

export type Uploads = ReturnType<typeof startUploads>

/** Begins uploads. */
export function startUploads(start: Start) {
  const { environment } = start.machine
  const controller = new AbortController()
  const { signal } = controller
  const database = openSyncDatabase(readStateDir(environment), BUSY_MS)
  let wokenAt = readWakeTime(environment)
  const wait = async (ms: number) => {
    for (let left = ms; left > 0 && !signal.aborted; left -= WAKE_INTERVAL_MS) {
      const requestedAt = readWakeTime(environment)
      // Not only a later time, since the clock may be set back.
      if ((await requestedAt) !== (await wokenAt)) {
        wokenAt = requestedAt
        return 'woken'
      }
      await sleep(Math.min(left, WAKE_INTERVAL_MS), undefined, { signal }).catch(() => {})
    }
    return 'over'
  }
  const uploader = openUploader(database, start, signal)
  const ended = runUploads({ uploader, random: Math.random, wait }).finally(() => database.close())
  return {
    /** Ends the uploads before the next segment. */
    stop: () => controller.abort(),
    /** Resolves when they have ended, also because another process uploads or consent was withdrawn. */
    ended,
  }
}
