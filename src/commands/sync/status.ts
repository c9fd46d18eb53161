import { listKeys } from '../../agent/clients/registration.ts'
import { targetsOf } from '../../agent/histories/sync/consent.ts'
import { countRedactions } from '../../agent/histories/sync/counts.ts'
import type { SyncDatabase } from '../../agent/histories/sync/database.ts'
import { isOf, listUnagreed } from '../../agent/histories/sync/folders.ts'
import { readTargetReport, type SyncReport, toShown } from '../../agent/histories/sync/report.ts'
import {
  isSwitchedOff,
  type MappedFolder,
  readSyncSettings,
  type SyncSettings,
} from '../../agent/histories/sync/settings.ts'
import { findKnownTarget, nameOf } from '../../agent/histories/sync/target.ts'
import { createServiceClient } from '../../agent/service-client.ts'
import { toIsoTime } from '../../clock.ts'
import { ServiceError } from '../../errors.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import type { Cli } from '../cli.ts'
import { localCommand } from '../command.ts'
import { createHistoryClient } from '../history/service.ts'
import { machineOf } from '../machine.ts'
import { countOf, toFacts, toSize, toTableTime } from '../terminal/text.ts'
import { withSyncState } from './context.ts'
import { toExcluded } from './settings.ts'

type Told = {
  project: string
  account: string
  holder: string
  endpoint: string
  report: SyncReport
  redactions: Record<string, number>
  /** Whether records are suggested to the holder; null if the service cannot be asked with a key of this machine. */
  suggestions: boolean | null
  /** Assistants that this release reads and that the user was not asked about. */
  assistants_not_agreed: string[]
}

/** A holder of a key that was used here, who has not agreed to uploads to a project to which another holder has. */
type NotAgreed = { project: string; holder: string; endpoint: string; seen_at: string }

/** Every project that sessions of this machine are uploaded to. Asks the service for suggestions alone. */
export const statusCommand = localCommand('status', 'show what is uploaded, the progress, and what was redacted', {
  options: { '--json': 'print one JSON value' },
  act: async (cli, { json }) => {
    const settings = await readSyncSettings(cli.environment)
    const { told, notAgreed } =
      settings === undefined ? { told: [], notAgreed: [] } : await readAll(cli, settings, json)
    const isOff = isSwitchedOff(cli.environment)
    const { device = null, excluded = [] } = settings ?? {}
    const value = { switched_off: isOff, device, excluded, projects: told, not_agreed: notAgreed }
    if (json) return void (await cli.out(`${JSON.stringify(value)}\n`))
    if (isOff) await cli.out('SVC_SYNC=off forbids uploads in this environment.\n')
    if (told.length === 0)
      return void (await cli.out(
        "Session histories are not uploaded. 'memsvc sync enable' shows what would go, and asks.\n",
      ))
    await cli.out(told.map(toText).join('\n'))
    await cli.out(notAgreed.map(toNotAgreedText).join(''))
    if (excluded.length > 0) await cli.out(`Excluded      ${excluded.map(toExcluded).join(', ')}\n`)
    await cli.out('Uploaded histories are not returned by search yet.\n')
  },
})

/** @throws Refusal if the state folder cannot be used; what was agreed is then printed first, unless as JSON. */
async function readAll(
  cli: Cli,
  settings: SyncSettings,
  json: true | undefined,
): Promise<{ told: Told[]; notAgreed: NotAgreed[] }> {
  try {
    return await withSyncState(cli.environment, async (database) =>
      readFrom(database, cli, settings, await readSuggestions(cli, database)),
    )
  } catch (error) {
    if (!json)
      await cli.out(
        targetsOf(settings)
          .map((target) => toAgreedText(cli, target, settings))
          .join('\n'),
      )
    throw error
  }
}

/** Whether records are suggested to the holders of this machine's keys, by the names of their targets. */
async function readSuggestions(cli: Cli, database: SyncDatabase): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>()
  for (const { environment } of await listKeys(machineOf(cli))) {
    try {
      const target = findKnownTarget(database, await createServiceClient(environment).identify())
      if (target !== undefined)
        found.set(nameOf(target), (await createHistoryClient({ environment }).readSuggestions()).suggestions)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }
  return found
}

function readFrom(
  database: SyncDatabase,
  { environment, clock }: Cli,
  settings: SyncSettings,
  suggestions: Map<string, boolean>,
): { told: Told[]; notAgreed: NotAgreed[] } {
  const sources = { environment, database, halt: undefined, pid: process.pid, now: clock.now }
  const told = targetsOf(settings).map((folder) => ({
    project: folder.project,
    account: folder.account,
    holder: folder.holder,
    endpoint: folder.endpoint,
    report: readTargetReport({ ...sources, baseUrl: folder.endpoint }, settings, folder),
    redactions: countRedactions(database, nameOf(folder)),
    suggestions: suggestions.get(nameOf(folder)) ?? null,
    assistants_not_agreed: [...FORMATS.keys()].filter((name) => !folder.assistants.includes(name)),
  }))
  const unagreed = listUnagreed(database, settings)
  const notAgreed = unagreed.map(({ project, holder, endpoint, seenAt }) => ({
    project,
    holder,
    endpoint,
    seen_at: toIsoTime(seenAt),
  }))
  return { told, notAgreed }
}

function toAgreedText({ environment }: Cli, target: MappedFolder, { folders, isPaused }: SyncSettings): string {
  const { project, account, endpoint, holder } = target
  const own = folders.filter((folder) => isOf(target, folder)).map(({ folder }) => toShown(folder, environment))
  const rows = [
    ['Project', `${project} · account ${account} · ${endpoint}`],
    ['Agreed by', holder],
    ['Folders', own.join(', ')],
    ['State', isPaused ? 'paused · paused by user' : 'not known'],
  ]
  return `${toFacts(rows, 14)}\n`
}

function toNotAgreedText({ project, holder, endpoint, seen_at: seenAt }: NotAgreed): string {
  return `Not agreed    '${holder}' holds a key of project '${project}' (${endpoint}) that was used here at ${toTableTime(seenAt)} UTC, and has not agreed:
              nothing is uploaded with that key until 'memsvc sync enable' is agreed to with it\n`
}

function toText({
  project,
  account,
  holder,
  endpoint,
  report,
  redactions,
  suggestions,
  assistants_not_agreed: unasked,
}: Told): string {
  const { totals, project_dirs: folders, last_success_at: lastAt, last_error: error } = report
  const { known, synced, pending, failed, excluded, unreadable, expired } = totals.sessions
  const others = [
    ...(unreadable === 0 ? [] : [`${unreadable} cannot be read`]),
    ...(expired === 0 ? [] : [`${expired} erased there after the retention period`]),
  ]
  const rules = Object.entries(redactions).map(([rule, count]) => `${rule} ${count}`)
  const rows = [
    ['Project', `${project} · account ${account} · ${endpoint}`],
    ['Agreed by', holder],
    ['Folders', folders.join(', ')],
    ['State', toState(report)],
    [
      'Sessions',
      `${synced} of ${known} uploaded · ${pending} waiting · ${failed} failed · ${[`${excluded} stay here`, ...others].join(' · ')}`,
    ],
    [
      'Sent',
      `${toSize(totals.bytes.uploaded)} · ${countOf(totals.records_uploaded, 'record')} · ${toSize(totals.bytes.pending)} waiting`,
    ],
    ['Taken out', rules.length === 0 ? 'nothing so far' : rules.join(', ')],
    ...(suggestions === null ? [] : [['Suggestions', suggestions ? 'on' : 'off']]),
    ['Last upload', lastAt === null ? 'none yet' : `${toTableTime(lastAt)} UTC`],
    ...(error === null
      ? []
      : [['Last error', `${error.message} (${error.count === 1 ? 'once' : `${error.count} times`})`]]),
    ...report.assistants.flatMap(({ name, last_error: failure }) =>
      failure === null ? [] : [['Failed', `${name}: ${failure}`]],
    ),
    ...(unasked.length === 0
      ? []
      : [['Not asked', `${unasked.join(', ')}: read by this release; 'memsvc sync enable' asks about them`]]),
  ]
  return `${toFacts(rows, 14)}\n`
}

/** The state and its reason, as text. */
function toState({ state, reason, uploader }: SyncReport): string {
  const why = reason === null ? '' : ` · ${reason.replaceAll('_', ' ')}`
  const who = uploader === 'none' ? ' · no agent uploads at present' : ''
  return `${state.replaceAll('_', ' ')}${why}${who}`
}
