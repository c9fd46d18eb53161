import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS, toIsoTime } from '../../../clock.ts'
import { ServiceError } from '../../../errors.ts'
import { discover } from '../discover.ts'
import type { HistorySource, Machine, ReadHistory } from '../source.ts'
import { noteActivity, Superseded } from './activity.ts'
import type { SyncDatabase } from './database.ts'
import { decide, findConsent, withSubagents } from './folders.ts'
import { holdLease } from './lease.ts'
import { type Pending, recordFound } from './record.ts'
import type { SyncSettings } from './settings.ts'
import { nameOf, type Target } from './target.ts'
import { register, type UploadContext, uploadSource } from './upload-source.ts'
import { MAX_SOURCES, RefusedHistory, type SyncClient } from './wire.ts'

/** The context of a target's uploads. */
export type Uploader = {
  database: SyncDatabase
  target: Target
  client: SyncClient
  machine: Machine
  read: ReadHistory
  /** Histories found by the last pass, by file. */
  known: Map<string, HistorySource>
  /** What the last pass that was completed had before it: another pass over the same has nothing to do. */
  settled?: Settled | undefined
  /** The process that holds the lease of the target. */
  pid: number
  /** Aborted when the uploads are to end. */
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
}

/** What decides about uploads; `version` changes with every write of another process to the database. */
type Settled = { settings: string; found: HistorySource[]; version: number }

/**
 * The longest pause, in seconds, and the most in a row, that the service may ask for without ending a pass: the next one
 * looks at every file again. Shorter than a lease.
 */
const [MAX_PAUSE_SECONDS, MAX_PAUSES] = [10, 3]

/**
 * A thorough pass also retries failed histories, and asks the service how far it has completed ones, since it may have
 * been restored from a backup.
 */
export type PassOptions = { isThorough?: boolean }

/**
 * Checks every history once, newest first, and sends what the service does not have. Failed histories are skipped until
 * they change or a pass is thorough.
 *
 * @throws Superseded if another process uploads or the settings changed; Halt or ServiceError if nothing can be
 *   uploaded for now.
 */
export async function runPass(uploader: Uploader, { isThorough = false }: PassOptions = {}): Promise<void> {
  const { database, target, machine, now } = uploader
  const settings = await findConsent(machine.environment, target)
  if (settings === undefined) throw new Superseded('uploads are switched off')
  const name = nameOf(target)
  const note = (change: Parameters<typeof noteActivity>[2]) => noteActivity(database, name, change)
  note({ state: 'scanning', reason: null, last_attempt_at: toIsoTime(now()), next_attempt_at: null, current: null })
  const found = await discover(machine, uploader.known, now())
  const before = { settings: JSON.stringify(settings), found, version: readVersion(database) }
  if (isThorough || !isSettled(uploader.settled, before)) await uploadFound(uploader, settings, found, { isThorough })
  uploader.settled = before
  const { passes } = note({})
  note({
    state: 'idle',
    reason: null,
    current: null,
    last_error: null,
    last_success_at: toIsoTime(now()),
    passes: passes + 1,
  })
}

const readVersion = (database: SyncDatabase) =>
  database.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version ?? 0

function isSettled(settled: Settled | undefined, { settings, found, version }: Settled): boolean {
  return (
    settled?.settings === settings &&
    settled.version === version &&
    settled.found.length === found.length &&
    found.every((source, at) => source === settled.found[at])
  )
}

async function uploadFound(
  uploader: Uploader,
  settings: SyncSettings,
  found: HistorySource[],
  { isThorough }: PassOptions,
): Promise<void> {
  uploader.known = new Map(found.map((source) => [source.file, source]))
  const context = toUploadContext(uploader, settings)
  const included = await recordFound(uploader, settings, found, context.requireGoing)
  await registerAll(
    context,
    included.filter(({ isDone, sourceId }) => isThorough || (!isDone && sourceId === null)),
  )
  const pending = included.filter(({ isDone, isFailed }) => !isDone && (isThorough || !isFailed))
  for (const one of pending) await uploadSource(context, one)
  // Also releases the compiled regular expressions: 4 to 6 MiB less until the next upload (bench/sync.ts).
  if (pending.length > 0) Bun.shrink()
}

/** The histories on this machine that belong to the target. */
export async function toIncluded({ machine, target, known, now }: Uploader): Promise<HistorySource[]> {
  const settings = await findConsent(machine.environment, target)
  const included: HistorySource[] = []
  if (settings === undefined) return included
  const sources = await discover(machine, known, now())
  const wanted = withSubagents(settings, sources)
  for (const source of sources) if ((await decide(wanted, target, source)) === 'included') included.push(source)
  return included
}

/**
 * Registers histories with the service, in batches, and learns how far it has each. If it has less of one than was
 * sent, that one is pending again.
 */
async function registerAll(context: UploadContext, histories: Pending[]): Promise<void> {
  for (let at = 0; at < histories.length; at += MAX_SOURCES) {
    await context.requireGoing()
    const batch = histories.slice(at, at + MAX_SOURCES)
    // If one of a batch is refused, each is registered separately in its turn, so that the others are not held up.
    const told = await register(context, batch).catch((error) => {
      if (error instanceof RefusedHistory) return []
      throw error
    })
    for (const [nth, { sourceId, isMoved, isErased }] of told.entries()) {
      const one = batch[nth]
      if (one !== undefined) Object.assign(one, { sourceId, isDone: isErased || (one.isDone && !isMoved) })
    }
  }
}

function toUploadContext(uploader: Uploader, settings: SyncSettings): UploadContext {
  const { database, target, client, machine, read, pid, signal, now } = uploader
  const name = nameOf(target)
  const agreed = JSON.stringify(settings)

  /** The user's decisions take effect at the next request. */
  async function requireGoing(): Promise<void> {
    if (JSON.stringify(await findConsent(machine.environment, target)) !== agreed)
      throw new Superseded('something else was decided')
    if (signal.aborted) throw new Superseded('the process ends')
    if (!holdLease(database, name, pid, now)) throw new Superseded('another process uploads')
  }

  async function proceed({ assistant, bytes }: HistorySource, sentBytes: number): Promise<void> {
    await requireGoing()
    const current = { assistant, sent_bytes: sentBytes, total_bytes: Math.max(bytes, sentBytes) }
    noteActivity(database, name, { state: 'uploading', current })
  }

  async function send<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    for (let pauses = 0; ; pauses++) {
      try {
        return await request()
      } catch (error) {
        const seconds = error instanceof ServiceError ? error.retryAfterSeconds : undefined
        if (seconds === undefined || seconds > MAX_PAUSE_SECONDS || pauses === MAX_PAUSES) throw error
        await sleep(seconds * SECOND_MS, undefined, { signal }).catch(() => {})
        await requireGoing()
      }
    }
  }

  return { database, client, read, device: settings.device, requireGoing, proceed, send, now }
}
