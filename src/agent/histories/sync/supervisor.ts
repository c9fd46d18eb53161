import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '../../../clock.ts'
import { readStateDir } from '../../config.ts'
import type { ServiceClient } from '../../service-client.ts'
import type { Machine } from '../source.ts'
import { Halt, noteActivity, toHalt } from './activity.ts'
import { isBusy, openSyncDatabase, type SyncDatabase } from './database.ts'
import { findConsent, isUnagreed, noteUnagreed } from './folders.ts'
import { readSyncReport } from './report.ts'
import { isSwitchedOff, readSyncSettings, type SyncSettings } from './settings.ts'
import { findTarget, nameOf, type Target } from './target.ts'
import { startUploader, tryWrite, type Uploader } from './uploader.ts'

type SupervisorOptions = {
  machine: Machine
  client: ServiceClient
  /** The entry file of the worker thread. */
  workerUrl: URL
  /** Milliseconds since 1970. */
  now: () => number
  /** Interval between checks of the settings. */
  intervalMs?: number
}

const INTERVAL_MS = 2 * SECOND_MS
/** Maximum delay before a retry; after failed checks the delay doubles up to this. */
const RETRY_MS = MINUTE_MS
/** The relay's thread never waits for locks of other processes. */
const BUSY_MS = 0
/** How long the end of the worker thread is awaited at the end of the process. */
const END_MS = 300

/**
 * Makes sure that the histories of the agent's project are uploaded, by this process or another one.
 *
 * Checks every two seconds whether uploads are agreed on, and by whom they are made. If by nobody, starts a worker
 * thread, so that one of many agents uploads. Without consent it costs only a look at one file.
 */
export function startSyncSupervisor({ machine, client, workerUrl, now, intervalMs = INTERVAL_MS }: SupervisorOptions) {
  const { environment } = machine
  let database: SyncDatabase | undefined
  let uploader: Uploader | undefined
  let retryAt = 0
  let failedLooks = 0
  let halt: Halt | undefined
  /** The target that was noted as not agreed on. */
  let unagreed: string | undefined
  let isLooking = false
  let isStopped = false

  /** Further away than any retry could be, if the clock was set back meanwhile. */
  const isPausing = () => now() < retryAt && retryAt - now() <= RETRY_MS

  const openDatabase = () => {
    database ??= openSyncDatabase(readStateDir(environment), BUSY_MS)
    return database
  }

  async function look(): Promise<void> {
    const target = await findWanted()
    if (isStopped) return
    if (uploader !== undefined && (target === undefined || nameOf(target) !== nameOf(uploader.target))) uploader.end()
    if (target === undefined) return
    const onEnd = (failure: string | undefined) => handleEnd(target, failure)
    uploader ??= startUploader({ machine, workerUrl, openDatabase, now, onEnd }, target)
  }

  /** The project to upload to, if there is consent and the key is valid. */
  async function findWanted(): Promise<Target | undefined> {
    if (isSwitchedOff(environment)) return undefined
    if (isPausing()) return uploader?.target
    const settings = await readSyncSettings(environment)
    if (
      settings === undefined ||
      settings.isPaused ||
      !settings.folders.some(({ endpoint }) => endpoint === client.baseUrl)
    )
      return undefined
    const target = await findTarget(client, openDatabase())
    if ((await findConsent(environment, target)) !== undefined) return target
    noteOtherHolder(settings, target)
    return undefined
  }

  /** Once, for `memsvc sync status`. */
  function noteOtherHolder(settings: SyncSettings, target: Target): void {
    if (nameOf(target) === unagreed || !isUnagreed(settings, target)) return
    noteUnagreed(openDatabase(), target, now())
    unagreed = nameOf(target)
  }

  function handleEnd(target: Target, failure: string | undefined): void {
    uploader = undefined
    if (failure === undefined) return
    retryAt = now() + RETRY_MS
    halt = new Halt('error', 'local_failure', failure)
    const at = new Date(now()).toISOString()
    const error = { code: 'local_failure', message: failure, at, count: 1, retryable: true } as const
    const activity = { state: 'error', reason: 'local_failure', current: null, last_error: error } as const
    tryWrite(() => noteActivity(openDatabase(), nameOf(target), activity))
  }

  async function lookOnce(): Promise<void> {
    if (isLooking || isStopped) return
    isLooking = true
    try {
      await look()
      if (isPausing()) return
      halt = undefined
      failedLooks = 0
    } catch (error) {
      // If another process holds a lock, this is done at the next check.
      if (!isBusy(error)) {
        failedLooks += 1
        halt = toHalt(error)
        retryAt = now() + Math.min(RETRY_MS, intervalMs * 2 ** failedLooks)
      }
    } finally {
      isLooking = false
    }
  }

  const timer = setInterval(lookOnce, intervalMs)
  timer.unref()
  void lookOnce()
  return {
    /** The current state. */
    report: () => readSyncReport({ environment, client, openDatabase, halt, pid: process.pid, now }),
    /**
     * Ends the uploads of this process; the next uploader continues them. Resolves soon, even if they have not ended yet.
     */
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      uploader?.end()
      if (uploader !== undefined) await Promise.race([uploader.ended, sleep(END_MS, undefined, { ref: false })])
      database?.close()
      database = undefined
    },
  }
}
