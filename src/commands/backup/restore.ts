import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import type { Config } from '../../config.ts'
import { Refusal } from '../../errors.ts'
import { restoreAll, restoreInPlace, restoreProject } from '../../maintenance/restore.ts'
import { type Cli, withService } from '../cli.ts'
import { localCommand, type OptionsOf } from '../command.ts'
import { findProject } from '../service-command.ts'
import { loadConfig } from '../settings.ts'
import { toJson, toLines } from './backup.ts'

const OPTIONS = {
  '--data <folder>': 'restore everything into this folder instead of SVC_DATA_DIR; it must be empty or not exist',
  '--without-key': 'leave out an encrypted secret.key',
  '--as <name>': 'restore one project of the backup as a new project of this name, also while the service runs',
  '--in-place':
    'restore what is damaged of --project, or all of it if nothing is, also while the service runs; its keys stay',
  '--project <project>': 'with --as: the project of the backup; with --in-place: the one to restore; name or id',
  '--account <account>':
    'with --as: the account that gets it; with --in-place: the one that has the project; only needed if there are several',
}

type Options = OptionsOf<typeof OPTIONS>

/** What was restored, as a JSON value and as lines of text. */
type Restored = { value: object; lines: string[]; isIncomplete?: boolean }

export const restoreCommand = localCommand(
  'restore',
  'restore a backup into an empty data folder, or one project of it as a new project or in place',
  {
    arguments: { '<file>': "a backup written by 'memsvc backup'" },
    options: OPTIONS,
    act: (cli, options, file = '') => {
      const { as, inPlace, data } = options
      if (as !== undefined && inPlace) throw new Refusal('--as and --in-place exclude each other')
      if ((as !== undefined || inPlace) && data !== undefined)
        throw new Refusal('--data does not go with --as or --in-place: set SVC_DATA_DIR')
      if (inPlace) return replaceOne(cli, file, options)
      return as === undefined ? restoreWhole(cli, file, options) : restoreOne(cli, file, as, options)
    },
    toText: ({ lines }) => lines.join('\n'),
    toJson: ({ value }) => value,
    refusal: ({ isIncomplete }) => (isIncomplete ? 'what the backup was made of was not whole' : undefined),
  },
)

async function restoreWhole(
  cli: Cli,
  archive: string,
  { data, project, account, withoutKey }: Options,
): Promise<Restored> {
  if (project !== undefined || account !== undefined)
    throw new Refusal('add --as <name> or --in-place to restore one project')
  const config = await loadConfig(
    cli,
    data === undefined ? undefined : { texts: { SVC_DATA_DIR: data }, origins: { SVC_DATA_DIR: '--data' } },
  )
  const passphrase = async () => (withoutKey ? undefined : askPassphrase(cli, config))
  // A folder that is named is meant, wherever the data of the service is.
  const place = data === undefined ? config : { ...config, databaseUrl: undefined }
  const { manifest, hasKey } = await restoreAll(place, { archive, passphrase })
  return {
    value: { ...toJson(manifest), folder: config.dataDir, has_key: hasKey },
    lines: [`restored into ${config.dataDir}`, ...toLines(manifest), ...(hasKey ? ['secret.key is in place'] : [])],
    isIncomplete: manifest.incomplete.length > 0,
  }
}

async function restoreOne(cli: Cli, archive: string, name: string, { project, account }: Options): Promise<Restored> {
  const made = await withService(cli, async (service) => {
    const input = { archive, name, account: await requireAccount(service, account), project }
    return restoreProject(service, COMMAND_LINE, input)
  })
  return {
    value: { id: made.id, name: made.name, account_id: made.accountId },
    lines: [
      `restored as project '${made.name}', id ${made.id}; it has no keys yet: 'memsvc key issue --project ${made.id}'`,
    ],
  }
}

async function replaceOne(cli: Cli, archive: string, { project: ref, account }: Options): Promise<Restored> {
  if (ref === undefined) throw new Refusal('--in-place needs --project <project>')
  const { project, replaced } = await withService(cli, async (service) => {
    const project = await findProject(service, { project: ref, account })
    return { project, replaced: await restoreInPlace(service, COMMAND_LINE, { archive, project }) }
  })
  const { records, histories, isPart, aside } = replaced
  const what = [...(records ? ['records'] : []), ...(histories ? ['session histories'] : [])].join(' and ')
  return {
    value: { id: project.id, name: project.name, records, histories, aside },
    lines: [
      `restored ${what === '' ? 'nothing' : what} of project '${project.name}'${isPart ? '; the rest of it was whole, and stays' : ''}`,
      ...(aside === null ? [] : [`what was replaced is in ${aside}; delete it once nothing of it is needed`]),
    ],
  }
}

/**
 * The passphrase that a key was encrypted with: the configured one, or one that is typed. Throws a Refusal if there is
 * no terminal to ask on.
 */
export async function askPassphrase({ ask, isInputTerminal }: Cli, config: Config): Promise<string> {
  if (config.backupPassphrase !== undefined) return config.backupPassphrase
  if (ask === undefined || !isInputTerminal)
    throw new Refusal(
      'the backup has an encrypted secret.key: name a file with its passphrase in SVC_BACKUP_PASSPHRASE_FILE, or leave it out with --without-key',
    )
  return ask('Passphrase of secret.key: ')
}
