import { readStateDir } from '../../../config.ts'
import { createServiceClient } from '../../../service-client.ts'
import { discover } from '../../discover.ts'
import { readHistory } from '../../read.ts'
import { openSyncDatabase, type SyncDatabase } from '../database.ts'
import { runUploads } from '../loop.ts'
import type { Uploader } from '../pass.ts'
import { createSyncClient } from '../wire.ts'
import type { ToWorker } from './messages.ts'

/** How long a write to the database waits for other processes. */
const BUSY_MS = 5_000

type Start = Omit<Extract<ToWorker, { kind: 'start' }>, 'kind'>

/** The context of a target's uploads. `signal` ends them before their next segment. */
export function openUploader(database: SyncDatabase, { machine, target, holder }: Start, signal: AbortSignal): Uploader {
  return {
    database,
    target,
    client: createSyncClient(createServiceClient(machine.environment), target),
    machine,
    discover,
    read: readHistory,
    known: new Map(),
    holder,
    signal,
    now: Date.now,
  }
}

/** Uploads in progress. */
export type Uploads = {
  /** Starts a scan now. */
  wake: () => void
  /** Ends the uploads before the next segment. */
  stop: () => void
  /** Resolves when they have ended, also because another process uploads or consent was withdrawn. */
  ended: Promise<void>
}

export function startUploads(start: Start): Uploads {
  const controller = new AbortController()
  const { signal } = controller
  const database = openSyncDatabase(readStateDir(start.machine.environment), BUSY_MS)
  const uploader = openUploader(database, start, signal)
  let wake = () => {}
  const wait = (ms: number) =>
    new Promise<'over' | 'woken'>((resolve) => {
      const timer = setTimeout(() => resolve('over'), ms)
      wake = () => {
        clearTimeout(timer)
        resolve('woken')
      }
    })
  const stop = () => {
    controller.abort()
    wake()
  }
  const ended = runUploads({ uploader, random: Math.random, wait }).finally(() => database.close())
  return { wake: () => wake(), stop, ended }
}
