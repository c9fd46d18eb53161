import type { HistorySource, Machine, ReadHistory } from '../source.ts'
import { noteActivity } from './activity.ts'
import type { SyncDatabase } from './database.ts'
import { decide, isOf } from './folders.ts'
import { Superseded } from './halt.ts'
import { type Holder, holdLease } from './lease.ts'
import { isSwitchedOff, readSyncSettings, type SyncSettings } from './settings.ts'
import { noteGone, noteOutside, noteSource } from './sources.ts'
import { nameOf, type Target } from './target.ts'
import { type Pending, registerAll, type UploadContext, uploadSource } from './upload-source.ts'
import { MAX_SOURCES, RefusedHistory, type SyncClient } from './wire.ts'

/** Finds every history of this machine. `known` are those that were found before, by file. */
export type Discover = (machine: Machine, known: ReadonlyMap<string, HistorySource>) => AsyncIterable<HistorySource>

/** What uploads of a target need. */
export type Uploader = {
  database: SyncDatabase
  target: Target
  client: SyncClient
  machine: Machine
  discover: Discover
  read: ReadHistory
  /** What the last pass found, by file. */
  known: Map<string, HistorySource>
  holder: Holder
  /** Aborted when the uploads are to end. */
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
}

/** The settings, where they let sessions of a target be uploaded now. */
export async function findConsent(environment: Machine['environment'], target: Target): Promise<SyncSettings | undefined> {
  const settings = isSwitchedOff(environment) ? undefined : await readSyncSettings(environment)
  if (settings === undefined || settings.isPaused) return undefined
  return settings.folders.some((folder) => isOf(target, folder)) ? settings : undefined
}

/**
 * Looks at every history once, the newest first, and sends what the service does not have. Histories that failed are tried again with `retryFailed`, or once they have
 * changed.
 *
 * @throws Superseded where somebody else uploads, or something else was decided; Halt or ServiceError where nothing can be uploaded for now.
 */
export async function runPass(uploader: Uploader, { retryFailed = false } = {}): Promise<void> {
  const { database, target, machine, now } = uploader
  const settings = await findConsent(machine.environment, target)
  if (settings === undefined) throw new Superseded('uploads are switched off')
  const name = nameOf(target)
  const note = (change: Parameters<typeof noteActivity>[2]) => noteActivity(database, name, change)
  note({ state: 'scanning', reason: null, last_attempt_at: toIso(now()), next_attempt_at: null, current: null })
  const pending = await scan(uploader, settings, retryFailed)
  const context = toUploadContext(uploader, settings)
  for (let at = 0; at < pending.length; at += MAX_SOURCES) await registerNew(context, pending.slice(at, at + MAX_SOURCES))
  for (const one of pending) await uploadSource(context, one)
  const { passes } = note({})
  note({ state: 'idle', reason: null, current: null, last_error: null, last_success_at: toIso(now()), passes: passes + 1 })
}

/** The histories that go to the target, of those that are here now. */
export async function toIncluded({ machine, target, discover, known }: Uploader): Promise<HistorySource[]> {
  const settings = await findConsent(machine.environment, target)
  const included: HistorySource[] = []
  if (settings === undefined) return included
  for await (const source of discover(machine, known)) if ((await decide(settings, target, source)) === 'included') included.push(source)
  return included
}

const toIso = (time: number) => new Date(time).toISOString()

/** The histories of which something is to be sent. What is found of others is not even noted. */
async function scan(uploader: Uploader, settings: SyncSettings, retryFailed: boolean): Promise<Pending[]> {
  const { database, target, machine, discover, now, holder } = uploader
  const startedAt = now()
  const name = nameOf(target)
  const pending: Pending[] = []
  const found = new Map<string, HistorySource>()
  for await (const source of discover(machine, uploader.known)) {
    found.set(source.file, source)
    const decision = await decide(settings, target, source)
    if (decision === 'outside') {
      noteOutside(database, name, source)
      continue
    }
    const known = noteSource(database, name, source, decision === 'excluded', startedAt)
    if (known.excluded === null && !known.isDone && (retryFailed || !known.isFailed)) pending.push({ ...known, source })
    requireLease(database, name, holder, now())
  }
  uploader.known = found
  noteGone(database, name, startedAt)
  return pending.sort((a, b) => b.source.mtimeMs - a.source.mtimeMs)
}

async function registerNew(context: UploadContext, pending: Pending[]): Promise<void> {
  const fresh = pending.filter(({ sourceId }) => sourceId === null)
  if (fresh.length === 0) return
  // Where one of them is refused, each is asked for by itself, so that the others are not held up.
  const ids = await registerAll(context, fresh).catch((error) => {
    if (error instanceof RefusedHistory) return []
    throw error
  })
  for (const [nth, one] of fresh.entries()) one.sourceId = ids[nth] ?? null
}

function toUploadContext(
  { database, target, client, machine, read, holder, signal, now }: Uploader,
  settings: SyncSettings,
): UploadContext {
  const name = nameOf(target)
  const agreed = JSON.stringify(settings)

  async function proceed({ assistant, bytes }: HistorySource, sentBytes: number): Promise<void> {
    // What a person decides holds from the next segment on.
    if (JSON.stringify(await findConsent(machine.environment, target)) !== agreed) throw new Superseded('something else was decided')
    if (signal.aborted) throw new Superseded('the process ends')
    requireLease(database, name, holder, now())
    noteActivity(database, name, {
      state: 'uploading',
      current: { assistant, sent_bytes: sentBytes, total_bytes: Math.max(bytes, sentBytes) },
    })
  }

  return { database, client, read, device: settings.device, proceed, now }
}

function requireLease(database: SyncDatabase, name: string, holder: Holder, now: number): void {
  if (!holdLease(database, name, holder, now)) throw new Superseded('another process uploads')
}
