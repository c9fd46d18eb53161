import { agreeTo, toFolders } from '../../agent/histories/sync/consent.ts'
import { isSwitchedOff } from '../../agent/histories/sync/settings.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { localCommand } from '../command.ts'
import { createHistoryClient } from '../history/service.ts'
import { machineOf } from '../machine.ts'
import { isAgreed } from '../terminal/ask.ts'
import { askTarget, askTargets, CLIENT, type SyncTarget, YES } from './context.ts'
import { planFolders } from './plan.ts'

const HELP = `
Nothing is uploaded before this, and nothing that an assistant says can start it. Credentials of known form are removed on this
machine, before anything leaves it. SVC_SYNC=off in the environment of an agent forbids uploads, whatever was agreed.

Examples:
  memsvc sync enable --dry-run
  memsvc sync enable ~/work/shop ~/work/api --since 2026-11-01`

/** Shows what would be uploaded, asks, and stores the consent; then asks about suggestions. */
export const enableCommand = localCommand(
  'enable',
  'show what would be uploaded, ask, and upload the sessions of folders from now on',
  {
    arguments: {
      '[folders...]':
        'upload the sessions of these folders and all folders inside them; the current repository if none is named',
    },
    options: {
      '--since <date>': 'only sessions that were written to on or after this day: YYYY-MM-DD',
      '--suggestions <answer>': "yes to let records be suggested to you from what you type, or no; 'no' ends it too",
      '--dry-run': 'show what would be uploaded, and change nothing',
      ...YES,
      ...CLIENT,
    },
    more: HELP,
    act: async (cli, { client, dryRun, suggestions, since: day, yes }, ...named) => {
      const since = readSince(day)
      const answer = readAnswer(suggestions)
      const folders = await toFolders(named, process.cwd(), machineOf(cli).home)
      if (dryRun) return showPlans(cli, folders, client, since)
      const target = await askTarget(cli, { client })
      const { environment, toSettings, text } = await planFolders(cli, target, folders, since)
      await cli.out(`${text}\n`)
      if (!(await isAgreed(cli, yes, 'Upload these sessions, and new ones from now on?')))
        return cli.err('nothing was changed\n')
      // Read again: something may have been excluded while the question stood.
      await agreeTo(environment, await toSettings(), cli.clock.now())
      const note = isSwitchedOff(cli.environment) ? '; SVC_SYNC=off forbids it here' : ''
      await cli.out(
        `Agreed${note}. Agents that run begin within seconds; 'memsvc sync now' uploads without one, 'memsvc sync status' says how it goes.\n`,
      )
      await askSuggestions(cli, target, answer, yes)
    },
  },
)

const QUESTION =
  'May records be suggested to you from what you type in them? Nobody else sees a suggestion, and nothing is saved before you keep it.'

/** Asks people who have not agreed to suggestions yet, unless the command line says it; `--yes` does not. */
async function askSuggestions(
  cli: Cli,
  { environment, info }: SyncTarget,
  given: 'yes' | 'no' | undefined,
  yes?: true,
): Promise<void> {
  const client = createHistoryClient({ environment })
  if (given === undefined && (yes || info.holder_kind !== 'member' || (await client.readSuggestions()).suggestions))
    return
  const answer = given ?? ((await isAgreed(cli, undefined, QUESTION)) ? 'yes' : 'no')
  if (given !== undefined || answer === 'yes') await client.setSuggestions(answer)
  await cli.out(
    answer === 'yes'
      ? 'Records are suggested from sessions that rest for an hour, in the console under Review.\n'
      : 'No records are suggested.\n',
  )
}

function readAnswer(text: string | undefined) {
  if (text === undefined || text === 'yes' || text === 'no') return text
  throw new Refusal(`--suggestions must be yes or no, not '${text}'`)
}

/** What would be uploaded to each target of this machine's keys. */
async function showPlans(cli: Cli, folders: string[], client: string | undefined, since: string | null): Promise<void> {
  const targets = await askTargets(cli, { client })
  for (const [at, found] of targets.entries()) {
    const head = targets.length === 1 ? '' : `${at === 0 ? '' : '\n'}--client ${found.clients[0]}:\n`
    await cli.out(`${head}${(await planFolders(cli, found, folders, since)).text}\n`)
  }
}

function readSince(text: string | undefined): string | null {
  if (text === undefined) return null
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay) throw new Refusal(`--since must be a day such as 2026-11-01, not '${text}'`)
  return new Date(text).toISOString()
}
