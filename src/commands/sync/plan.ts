import { discover, readHistory } from '../../agent/histories/discover.ts'
import { agreeTo, readOrBegin, toFolders, withFolders } from '../../agent/histories/sync/consent.ts'
import { isOf } from '../../agent/histories/sync/folders.ts'
import { planUpload, readSample, toLastAt } from '../../agent/histories/sync/plan.ts'
import { isSwitchedOff, type MappedFolder, type SyncSettings } from '../../agent/histories/sync/settings.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'
import { isAgreed } from '../terminal/ask.ts'
import { askTarget, askTargets, type SyncTarget } from './context.ts'
import { toPlanText, toSessionTable } from './show-plan.ts'

type Options = { client?: string; since?: string; dryRun?: true; yes?: true }

/**
 * `memsvc sync enable`: shows what would be uploaded, asks, and stores the consent. @throws Refusal if there is no
 * terminal to ask on, or nothing can be uploaded.
 */
export async function enableSync(cli: Cli, named: string[], options: Options): Promise<void> {
  const since = readSince(options.since)
  const folders = await toFolders(named, process.cwd(), machineOf(cli).home)
  if (options.dryRun) return showPlans(cli, folders, options, since)
  const { environment, settings, text } = await planFolders(cli, await askTarget(cli, options), folders, since)
  await cli.out(`${text}\n`)
  if (!(await isAgreed(cli, options.yes, 'Upload these sessions, and new ones from now on?')))
    return cli.err('nothing was changed\n')
  await agreeTo(environment, settings, cli.clock.now())
  const note = isSwitchedOff(cli.environment) ? '; SVC_SYNC=off forbids it here' : ''
  await cli.out(
    `Agreed${note}. Agents that run begin within seconds; 'memsvc sync now' uploads without one, 'memsvc sync status' says how it goes.\n`,
  )
}

/** What would be uploaded to each target of this machine's keys. */
async function showPlans(cli: Cli, folders: string[], options: Options, since: string | null): Promise<void> {
  const targets = await askTargets(cli, options)
  for (const [at, found] of targets.entries()) {
    const head = targets.length === 1 ? '' : `${at === 0 ? '' : '\n'}--client ${found.clients[0]}:\n`
    await cli.out(`${head}${(await planFolders(cli, found, folders, since)).text}\n`)
  }
}

/** The settings with which the folders are uploaded to a target, and what that comes to. */
async function planFolders(cli: Cli, found: SyncTarget, folders: string[], since: string | null) {
  const { environment, target, info } = found
  const settings = withFolders(await readOrBegin(environment), folders, target, info, since)
  const added = settings.folders.filter(({ folder }) => folders.includes(folder))
  return { environment, settings, text: (await plan(cli, found, settings, added)).text }
}

function readSince(text: string | undefined): string | null {
  if (text === undefined) return null
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay) throw new Refusal(`--since must be a day such as 2026-11-01, not '${text}'`)
  return new Date(text).toISOString()
}

/** What is uploaded with these settings, of `folders`; as text for a person, too. */
async function plan(
  cli: Cli,
  { environment, info, target }: SyncTarget,
  settings: SyncSettings,
  folders: MappedFolder[],
) {
  const planned = await planUpload(
    { environment, home: machineOf(cli).home },
    discover,
    settings,
    target,
    cli.clock.now(),
  )
  const sample = await readSample(planned, readHistory)
  return { planned, sample, text: toPlanText(folders, info, planned, sample) }
}

/** `memsvc sync preview`: what would be uploaded, as a JSON value and as text. */
export async function previewSync(cli: Cli, named: string[], options: { client?: string; sessions?: true }) {
  const found = await askTarget(cli, options)
  const agreed = await readOrBegin(found.environment)
  const own = agreed.folders.filter((folder) => isOf(found.target, folder))
  const others = named.length > 0 || own.length === 0 ? await toFolders(named, process.cwd(), machineOf(cli).home) : []
  const wished = withFolders(agreed, others, found.target, found.info, null).folders.filter(({ folder }) =>
    others.includes(folder),
  )
  const folders = others.length === 0 ? own : wished
  const settings = { ...agreed, folders: others.length === 0 ? agreed.folders : wished }
  const { planned, sample = null, text } = await plan(cli, found, settings, folders)
  const sessions = planned.sessions.map((source) => ({
    assistant: source.assistant,
    session: source.sessionId,
    bytes: source.bytes,
    last: toLastAt(source),
    folder: source.cwd,
  }))
  return {
    value: { folders, ...planned, sessions, sample },
    text: options.sessions ? `${text}\n\n${toSessionTable(planned)}` : text,
  }
}
