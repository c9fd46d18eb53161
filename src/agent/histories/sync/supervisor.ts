import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '../../../clock.ts'
import { readStateDir } from '../../config.ts'
import type { ServiceClient } from '../../service-client.ts'
import type { Machine } from '../source.ts'
import { noteActivity } from './activity.ts'
import { isBusy, openSyncDatabase, type SyncDatabase } from './database.ts'
import { Halt, toHalt } from './halt.ts'
import { findHolder, holdLease, releaseLease } from './lease.ts'
import { findConsent } from './pass.ts'
import { readSyncReport, type SyncReport } from './report.ts'
import { isSwitchedOff, readSyncSettings } from './settings.ts'
import { findTarget, nameOf, type Target } from './target.ts'
import { readWakeTime } from './wake.ts'
import type { FromWorker, ToWorker } from './worker/messages.ts'

/** Makes sure that the histories of the agent's project are uploaded, by this process or another one. */
export type SyncSupervisor = {
  /** The current state. */
  report: () => Promise<SyncReport>
  /** Ends the uploads of this process; the next uploader continues them. Resolves soon, even if they have not ended yet. */
  stop: () => Promise<void>
}

export type SupervisorOptions = {
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

type Running = { worker: Worker; target: Target; holder: string; wokenAt: number; isEnding: boolean; ended: PromiseWithResolvers<void> }

/**
 * Checks every two seconds whether uploads are agreed on, and by whom they are made. If by nobody, starts a worker thread, so that one of many agents
 * uploads. Without consent it costs only a look at one file.
 */
export function startSyncSupervisor({ machine, client, workerUrl, now, intervalMs = INTERVAL_MS }: SupervisorOptions): SyncSupervisor {
  const { environment } = machine
  let database: SyncDatabase | undefined
  let running: Running | undefined
  let retryAt = 0
  let failedLooks = 0
  let halt: Halt | undefined
  let isLooking = false
  let isStopped = false

  const openDatabase = () => {
    database ??= openSyncDatabase(readStateDir(environment), BUSY_MS)
    return database
  }

  /** Not `terminate()`, which might interrupt a write to the database that other threads and processes wait for. */
  function end(): void {
    if (running === undefined || running.isEnding) return
    running.isEnding = true
    post(running.worker, { kind: 'stop' })
  }

  async function look(): Promise<void> {
    const target = await findWanted()
    if (isStopped) return
    if (running !== undefined && (target === undefined || nameOf(target) !== nameOf(running.target))) end()
    if (target === undefined) return
    if (running === undefined) begin(target, await readWakeTime(environment))
    else await passOnWake(running)
  }

  /** The project to upload to, if there is consent and the key is valid. */
  async function findWanted(): Promise<Target | undefined> {
    if (isSwitchedOff(environment)) return undefined
    if (now() < retryAt) return running?.target
    const settings = await readSyncSettings(environment)
    if (settings === undefined || settings.isPaused || !settings.folders.some(({ endpoint }) => endpoint === client.baseUrl))
      return undefined
    const target = await findTarget(client, openDatabase())
    return (await findConsent(environment, target)) && target
  }

  function begin(target: Target, wokenAt: number): void {
    const name = nameOf(target)
    const holder = { holder: crypto.randomUUID(), pid: process.pid }
    if (isStopped || findHolder(openDatabase(), name, now()) !== undefined) return
    if (!tryWrite(() => holdLease(openDatabase(), name, holder, now()))) return
    const worker = new Worker(workerUrl.href, { smol: true })
    running = { worker, target, holder: holder.holder, wokenAt, isEnding: false, ended: Promise.withResolvers() }
    worker.unref()
    const die = (failure: string | undefined) => handleEnd(worker, failure)
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => die(data.failure)
    worker.onerror = (event) => {
      event.preventDefault()
      die('The uploading thread broke off.')
    }
    post(worker, { kind: 'start', machine, target, holder })
  }

  function handleEnd(worker: Worker, failure: string | undefined): void {
    if (running?.worker !== worker) return
    const { target, holder, ended } = running
    const name = nameOf(target)
    running = undefined
    worker.terminate()
    tryWrite(() => releaseLease(openDatabase(), name, holder))
    ended.resolve()
    if (failure === undefined) return
    retryAt = now() + RETRY_MS
    halt = new Halt('error', 'local_failure', failure)
    const at = new Date(now()).toISOString()
    const error = { code: 'local_failure', message: failure, at, count: 1, retryable: true } as const
    tryWrite(() => noteActivity(openDatabase(), name, { state: 'error', reason: 'local_failure', current: null, last_error: error }))
  }

  async function passOnWake(current: Running): Promise<void> {
    const wokenAt = await readWakeTime(environment)
    if (wokenAt <= current.wokenAt) return
    current.wokenAt = wokenAt
    post(current.worker, { kind: 'wake' })
  }

  async function lookOnce(): Promise<void> {
    if (isLooking || isStopped) return
    isLooking = true
    try {
      await look()
      if (now() < retryAt) return
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
    report: () => readSyncReport({ environment, client, openDatabase, halt, pid: process.pid, now }),
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      end()
      if (running !== undefined) await Promise.race([running.ended.promise, sleep(END_MS, undefined, { ref: false })])
      database?.close()
      database = undefined
    },
  }
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message)
}

/** Returns undefined if another process holds a lock. */
function tryWrite<Value>(write: () => Value): Value | undefined {
  try {
    return write()
  } catch {
    return undefined
  }
}
