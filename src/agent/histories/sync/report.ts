import { homedir } from 'node:os'
import { VERSION } from '../../../version.ts'
import { toServiceError } from '../../answer.ts'
import type { Environment } from '../../config.ts'
import type { ServiceClient } from '../../service-client.ts'
import { type Activity, type Halt, readActivity, toHalt } from './activity.ts'
import { countAssistants, countSources, type SourceCounts } from './counts.ts'
import type { SyncDatabase } from './database.ts'
import { isOf, isUnagreed } from './folders.ts'
import { findHolder } from './lease.ts'
import { isSwitchedOff, readSyncSettings, type SyncSettings } from './settings.ts'
import { findKnownTarget, nameOf, type Target } from './target.ts'

/**
 * The state of the upload of session histories, for the project of one key. It contains nothing about other projects.
 */
export type SyncReport = Omit<Activity, 'passes'> & {
  enabled: boolean
  searchable: false
  note: string
  endpoint: string | null
  agent_version: string
  device: string | null
  project_dirs: string[]
  uploader: 'this_process' | 'other_process' | 'none'
  totals: SourceCounts
  assistants: ReturnType<typeof countAssistants>
  as_of: string
}

type ReportSources = {
  environment: Environment
  client: Pick<ServiceClient, 'baseUrl' | 'identify'>
  /** Opens the database in the state folder; not called if the user has decided nothing. */
  openDatabase: () => SyncDatabase
  /** The reason why this process cannot upload, or cannot learn the project of its key. */
  halt: Halt | undefined
  /** Id of this process. */
  pid: number
  /** Milliseconds since 1970. */
  now: () => number
}

const NOTES = {
  disabled: 'Session histories are not uploaded. Uploaded histories would not be returned by search yet.',
  halted:
    'Session histories of the folders listed here are to be uploaded, but are not at present. Uploaded histories are not returned by search yet.',
  enabled:
    'Session histories of the folders listed here are uploaded. Uploaded histories are not returned by search yet.',
}

const NO_COUNTS: SourceCounts = {
  sessions: { known: 0, synced: 0, pending: 0, failed: 0, excluded: 0, unreadable: 0, expired: 0, stored: 0 },
  bytes: { uploaded: 0, pending: 0 },
  records_uploaded: 0,
  secrets_redacted: 0,
}

/** Makes no request, so it works offline. Never rejects. */
export async function readSyncReport(sources: ReportSources): Promise<SyncReport> {
  try {
    return await findReport(sources)
  } catch (error) {
    return toReport(sources, { state: 'error', reason: toHalt(error).reason })
  }
}

async function findReport(sources: ReportSources): Promise<SyncReport> {
  const { environment, client } = sources
  const settings = await readSyncSettings(environment)
  if (isSwitchedOff(environment))
    return toReport(sources, { state: 'disabled', reason: 'switched_off', device: settings?.device ?? null })
  const ofService = settings?.folders.filter(({ endpoint }) => endpoint === client.baseUrl) ?? []
  if (settings === undefined || ofService.length === 0) return toReport(sources, { device: settings?.device ?? null })
  const database = sources.openDatabase()
  const target = await identifyTarget(sources, database)
  if ('reason' in target) return toReport(sources, { ...target, enabled: true, device: settings.device })
  if (settings.folders.some((folder) => isOf(target, folder)))
    return readTargetReport({ ...sources, baseUrl: client.baseUrl, database }, settings, target)
  return toReport(sources, {
    reason: isUnagreed(settings, target) ? 'other_holder' : 'not_enabled',
    device: settings.device,
  })
}

/** The target of the key; otherwise what is wrong with the key, or that the service could not be asked yet. */
async function identifyTarget(
  { client, halt }: ReportSources,
  database: SyncDatabase,
): Promise<Target | Pick<SyncReport, 'state' | 'reason'>> {
  try {
    const known = findKnownTarget(database, await client.identify())
    return known ?? { state: halt?.state ?? 'backing_off', reason: halt?.reason ?? 'offline' }
  } catch (error) {
    const { state, reason } = toHalt(toServiceError(error))
    return { state, reason }
  }
}

type TargetSources = Pick<ReportSources, 'environment' | 'halt' | 'pid' | 'now'> & {
  baseUrl: string
  database: SyncDatabase
}

/** The state for one project that something of this machine is uploaded to. */
export function readTargetReport(sources: TargetSources, settings: SyncSettings, target: Target): SyncReport {
  const { database, baseUrl, halt, pid, now } = sources
  const name = nameOf(target)
  const { passes: _, ...activity } = readActivity(database, name)
  const holder = findHolder(database, name, now)
  const isAtWork = activity.state === 'scanning' || activity.state === 'uploading'
  // The uploader may have been killed.
  const state = holder === undefined && isAtWork ? 'idle' : activity.state
  return toReport(
    { client: { baseUrl }, now },
    {
      ...activity,
      state,
      ...(holder === undefined && halt !== undefined && { state: halt.state, reason: halt.reason }),
      ...(settings.isPaused && { state: 'paused', reason: 'paused_by_user' }),
      enabled: true,
      device: settings.device,
      project_dirs: settings.folders
        .filter((folder) => isOf(target, folder))
        .map(({ folder }) => toShown(folder, sources.environment)),
      uploader: holder === undefined ? 'none' : holder === pid ? 'this_process' : 'other_process',
      next_attempt_at: holder === undefined || settings.isPaused ? null : activity.next_attempt_at,
      totals: countSources(database, name),
      assistants: countAssistants(database, name),
      current: state === 'uploading' && !settings.isPaused ? activity.current : null,
    },
  )
}

function toReport(
  { client, now }: { client: { baseUrl: string }; now: () => number },
  known: Partial<SyncReport>,
): SyncReport {
  const { state = 'disabled', reason = 'not_enabled' } = known
  const isHalted = state === 'paused' || state === 'error' || state === 'backing_off'
  return {
    state,
    reason,
    enabled: false,
    searchable: false,
    note: NOTES[state === 'disabled' ? 'disabled' : isHalted ? 'halted' : 'enabled'],
    endpoint: URL.parse(client.baseUrl)?.host ?? null,
    agent_version: VERSION,
    device: null,
    project_dirs: [],
    uploader: 'none',
    last_success_at: null,
    last_attempt_at: null,
    next_attempt_at: null,
    totals: NO_COUNTS,
    assistants: [],
    current: null,
    last_error: null,
    ...known,
    as_of: new Date(now()).toISOString(),
  }
}

/** A path with `~` for the home folder, and so without the user's name. */
export function toShown(path: string, { HOME }: Environment): string {
  const home = HOME || homedir()
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
