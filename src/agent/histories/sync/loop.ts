import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../clock.ts'
import { type Halt, noteActivity, readActivity, Superseded, toHalt } from './activity.ts'
import { holdLease, releaseLease } from './lease.ts'
import { type PassOptions, runPass, type Uploader } from './pass.ts'
import { nameOf } from './target.ts'

/** Interval between scans of all histories. */
const SCAN_INTERVAL_MS = 30 * SECOND_MS
/** Interval between retries while the user or the operator has to act. */
const PAUSED_INTERVAL_MS = 5 * MINUTE_MS
const FIRST_BACKOFF_MS = SECOND_MS
const MAX_BACKOFF_MS = 15 * MINUTE_MS
/** Maximum time between renewals of the lease. */
const RENEWAL_MS = 10 * SECOND_MS

type LoopOptions = {
  uploader: Uploader
  random: () => number
  /** Resolves with 'over' after `ms` milliseconds, or with 'woken' as soon as an upload is requested. */
  wait: (ms: number) => Promise<'over' | 'woken'>
  scanIntervalMs?: number
}

/** Uploads in passes until it is told to end, another process uploads, or consent is withdrawn. */
export async function runUploads({
  uploader,
  random,
  wait,
  scanIntervalMs = SCAN_INTERVAL_MS,
}: LoopOptions): Promise<void> {
  const { database, target, pid, signal, now } = uploader
  const name = nameOf(target)
  try {
    let thoroughAt = Number.NEGATIVE_INFINITY
    for (let failures = 0; !signal.aborted; ) {
      const isThorough = Math.abs(now() - thoroughAt) >= DAY_MS
      const halt = await attempt(uploader, { isThorough })
      if (isThorough && halt === undefined) thoroughAt = now()
      failures = halt === undefined ? 0 : failures + 1
      const delay = halt === undefined ? scanIntervalMs : delayAfter(halt, failures, random)
      noteActivity(database, name, { next_attempt_at: new Date(now() + delay).toISOString() })
      await waitWithLease(uploader, delay, wait, halt?.retryAfterSeconds === undefined)
    }
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
  } finally {
    releaseLease(database, name, pid)
  }
}

/** Runs one pass; the reason that ended it early is recorded and returned. */
export async function attempt(uploader: Uploader, options: PassOptions): Promise<Halt | undefined> {
  try {
    await runPass(uploader, options)
    return undefined
  } catch (error) {
    if (error instanceof Superseded) throw error
    const halt = toHalt(error)
    noteHalt(uploader, halt)
    return halt
  }
}

function noteHalt({ database, target, now }: Uploader, { state, reason, message }: Halt): void {
  const name = nameOf(target)
  const before = readActivity(database, name).last_error
  const count = before?.code === reason ? before.count + 1 : 1
  const lastError = {
    code: reason,
    message,
    at: new Date(now()).toISOString(),
    count,
    retryable: state === 'backing_off',
  }
  noteActivity(database, name, { state, reason, current: null, last_error: lastError })
}

/**
 * The delay requested by the service, otherwise exponential backoff up to 15 minutes, a random part of it, so that
 * agents do not retry simultaneously.
 */
export function delayAfter(
  { state, retryAfterSeconds }: Pick<Halt, 'state' | 'retryAfterSeconds'>,
  failures: number,
  random: () => number,
): number {
  if (state !== 'backing_off') return PAUSED_INTERVAL_MS
  const backoff = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures, 20)) * random()
  return Math.max(backoff, (retryAfterSeconds ?? 0) * SECOND_MS, FIRST_BACKOFF_MS / 4)
}

async function waitWithLease(
  { database, target, pid, signal, now }: Uploader,
  delay: number,
  wait: LoopOptions['wait'],
  mayBeWoken: boolean,
): Promise<void> {
  const end = now() + delay
  // Not only until `end`, since the clock may be set back.
  for (let left = delay; left > 0 && left <= delay && !signal.aborted; left = end - now()) {
    const ended = await wait(Math.min(left, RENEWAL_MS))
    if (!holdLease(database, nameOf(target), pid, now)) throw new Superseded('another process uploads')
    if (ended === 'woken' && mayBeWoken) return
  }
}
