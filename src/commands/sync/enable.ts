import { discover } from '../../agent/histories/discover.ts'
import { readHistory } from '../../agent/histories/read.ts'
import { agreeTo, readOrBegin, toFolders, withFolders } from '../../agent/histories/sync/consent.ts'
import { planUpload, readSample } from '../../agent/histories/sync/plan.ts'
import { isSwitchedOff } from '../../agent/histories/sync/settings.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'
import { isAgreed } from '../terminal/ask.ts'
import { askTarget } from './context.ts'
import { toPlanText } from './show-plan.ts'

type Options = { client?: string; since?: string; dryRun?: true; yes?: true }

/**
 * `memsvc sync enable`: shows what would be uploaded, asks, and stores the consent. @throws Refusal if there is no terminal to ask on, or nothing can be
 * uploaded.
 */
export async function enableSync(cli: Cli, named: string[], options: Options): Promise<void> {
  const { home } = machineOf(cli)
  const since = readSince(options.since)
  const folders = await toFolders(named, process.cwd(), home)
  const { environment, info, target } = await askTarget(cli, options)
  const before = await readOrBegin(environment)
  const settings = withFolders(before, folders, target, info, since)
  const plan = await planUpload({ environment, home }, discover, settings, target, cli.clock.now())
  const added = settings.folders.filter(({ folder }) => folders.includes(folder))
  await cli.out(toPlanText(added, info, plan, await readSample(plan, readHistory)))
  if (options.dryRun) return
  if (!(await isAgreed(cli, options.yes, 'Upload these, and the sessions to come?'))) return cli.err('nothing was changed\n')
  await agreeTo(environment, settings, cli.clock.now())
  const note = isSwitchedOff(cli.environment) ? '; SVC_SYNC=off forbids it here' : ''
  await cli.out(
    `Agreed${note}. Agents that run begin within seconds; 'memsvc sync now' uploads without one, 'memsvc sync status' says how it goes.\n`,
  )
}

function readSince(text: string | undefined): string | null {
  if (text === undefined) return null
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay) throw new Refusal(`--since must be a day such as 2026-11-01, not '${text}'`)
  return new Date(text).toISOString()
}
