import { join } from 'node:path'
import { Refusal } from '../../errors.ts'
import { isObject } from '../../jsonrpc.ts'
import { claudeFolder } from '../clients/machine.ts'
import { type Environment, readStateDir } from '../config.ts'
import type { Machine } from '../histories/source.ts'
import { targetsOf } from '../histories/sync/consent.ts'
import { withSyncDatabase } from '../histories/sync/database.ts'
import { listUnagreed, type Unagreed } from '../histories/sync/folders.ts'
import { readTargetReport, type SyncReport } from '../histories/sync/report.ts'
import { isSwitchedOff, readSyncSettings, type SyncSettings } from '../histories/sync/settings.ts'
import { readState } from '../state-file.ts'
import { type Check, checksOf } from './check.ts'

const BUSY_MS = 1_000
/** Claude Code's default. */
const USUAL_CLEANUP_DAYS = 30

const { ok, warning, problem } = checksOf('client')

/** Checks the upload of session histories for each project, and how long Claude Code keeps its own. */
export async function checkHistories(machine: Machine, now: () => number): Promise<Check[]> {
  const { environment } = machine
  const settings = await readSyncSettings(environment)
  if (settings === undefined || settings.folders.length === 0)
    return [ok('histories', 'session histories are not uploaded')]
  if (isSwitchedOff(environment))
    return [warning('histories', 'SVC_SYNC=off forbids uploads here', 'unset it, unless this is intended')]
  return [...(await checkUploads(environment, settings, now)), await checkCleanup(machine)]
}

async function checkUploads(environment: Environment, settings: SyncSettings, now: () => number): Promise<Check[]> {
  try {
    return await withSyncDatabase(readStateDir(environment), BUSY_MS, (database) => {
      const sources = { environment, database, halt: undefined, pid: process.pid, now }
      const reports = targetsOf(settings).map((folder) =>
        toCheck(folder.project, readTargetReport({ ...sources, baseUrl: folder.endpoint }, settings, folder)),
      )
      return [...reports, ...listUnagreed(database, settings).map(toUnagreedCheck)]
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [
      problem(
        'histories',
        error.message,
        'make room there, or give yourself the right to write; nothing is uploaded until then',
      ),
    ]
  }
}

function toUnagreedCheck({ project, holder }: Unagreed): Check {
  const detail = `project '${project}': '${holder}', who holds a key of it, has not agreed to uploads from here`
  return warning('histories', detail, "'memsvc sync enable' asks")
}

function toCheck(project: string, { state, reason, totals, last_error: error, assistants }: SyncReport): Check {
  const { synced, known, excluded, pending, failed, unreadable } = totals.sessions
  const detail = `project '${project}': ${synced} of ${known - excluded} sessions uploaded, ${pending} waiting`
  const why = error?.message ?? reason?.replaceAll('_', ' ')
  if (state === 'paused' || state === 'error')
    return warning('histories', `${detail}; ${state}: ${why}`, "'memsvc sync status', then 'memsvc sync now'")
  if (unreadable > 0)
    return warning(
      'histories',
      `${detail}, ${unreadable} cannot be read`,
      'give yourself the right to read these files, or remove damaged ones',
    )
  if (failed === 0) return ok('histories', detail)
  const reasons = assistants.flatMap(({ last_error: failure }) => failure ?? [])
  return warning('histories', `${detail}, ${failed} failed: ${reasons.join('; ')}`, "'memsvc sync now' tries again")
}

/** Sessions that Claude Code deletes before they are uploaded are lost. */
async function checkCleanup(machine: Machine): Promise<Check> {
  const settings = await readState(join(claudeFolder(machine), 'settings.json'))
  const days =
    isObject(settings) && typeof settings.cleanupPeriodDays === 'number'
      ? settings.cleanupPeriodDays
      : USUAL_CLEANUP_DAYS
  return ok('histories', `Claude Code deletes its own after ${days} days; the service keeps what was uploaded`)
}
