import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { Refusal } from '../../errors.ts'
import { restoreAll, restoreInPlace, restoreProject } from '../../maintenance/restore.ts'
import { type Cli, withService } from '../cli.ts'
import { findProject } from '../options.ts'
import { loadConfig } from '../settings.ts'
import { askPassphrase } from './passphrase.ts'
import { toJson, toLines } from './shown.ts'

type Options = { data?: string; as?: string; inPlace?: true; project?: string; account?: string; withoutKey?: true; json?: true }

/** `memsvc restore` */
export function restoreCommand(cli: Cli): Command {
  return new Command('restore')
    .description('restore a backup into an empty data folder, or one project of it as a new project or in place')
    .argument('<file>', "a backup written by 'memsvc backup'")
    .option('--data <folder>', 'restore everything into this folder instead of SVC_DATA_DIR; it must be empty or not exist')
    .option('--without-key', 'leave out an encrypted secret.key')
    .option('--as <name>', 'restore one project of the backup as a new project of this name, also while the service runs')
    .option('--in-place', 'restore what is damaged of --project, or all of it if nothing is, also while the service runs; its keys stay')
    .option('--project <project>', 'with --as: the project of the backup; with --in-place: the one to restore; name or id')
    .option(
      '--account <account>',
      'with --as: the account that gets it; with --in-place: that of the project; only needed if there are several',
    )
    .option('--json', 'print one JSON value')
    .action((file: string, options: Options) => {
      const { as, inPlace, data } = options
      if (as !== undefined && inPlace) throw new Refusal('--as and --in-place exclude each other')
      if ((as !== undefined || inPlace) && data !== undefined)
        throw new Refusal('--data does not go with --as or --in-place: set SVC_DATA_DIR')
      if (inPlace) return replaceOne(cli, file, options)
      return as === undefined ? restoreWhole(cli, file, options) : restoreOne(cli, file, as, options)
    })
}

async function restoreWhole(cli: Cli, archive: string, { data, project, account, withoutKey, json }: Options): Promise<void> {
  if (project !== undefined || account !== undefined) throw new Refusal('add --as <name> or --in-place to restore one project')
  const config = await loadConfig(
    cli,
    data === undefined ? undefined : { texts: { SVC_DATA_DIR: data }, origins: { SVC_DATA_DIR: '--data' } },
  )
  const passphrase = async () => (withoutKey ? undefined : askPassphrase(cli, config))
  // A folder that is named is meant, wherever the data of the service is.
  const place = data === undefined ? config : { ...config, databaseUrl: undefined }
  const { manifest, hasKey } = await restoreAll(place, { archive, passphrase })
  const shown = [`restored into ${config.dataDir}`, ...toLines(manifest), ...(hasKey ? ['secret.key is in place'] : [])]
  await cli.out(json ? `${JSON.stringify({ ...toJson(manifest), folder: config.dataDir, has_key: hasKey })}\n` : `${shown.join('\n')}\n`)
  if (manifest.incomplete.length > 0) throw new Refusal('what the backup was made of was not whole')
}

async function restoreOne(cli: Cli, archive: string, name: string, { project, account, json }: Options): Promise<void> {
  const made = await withService(cli, async (service) => {
    const input = { archive, name, account: await requireAccount(service, account), project }
    return restoreProject(service, COMMAND_LINE, input)
  })
  const shown = `restored as project '${made.name}', id ${made.id}; it has no keys yet: 'memsvc key issue --project ${made.id}'`
  await cli.out(`${json ? JSON.stringify({ id: made.id, name: made.name, account_id: made.accountId }) : shown}\n`)
}

async function replaceOne(cli: Cli, archive: string, { project: ref, account, json }: Options): Promise<void> {
  if (ref === undefined) throw new Refusal('--in-place needs --project <project>')
  const { project, replaced } = await withService(cli, async (service) => {
    const project = await findProject(service, { project: ref, account })
    return { project, replaced: await restoreInPlace(service, COMMAND_LINE, { archive, project }) }
  })
  const { records, histories, isPart, aside } = replaced
  const what = [...(records ? ['records'] : []), ...(histories ? ['session histories'] : [])].join(' and ')
  const shown = [
    `restored ${what === '' ? 'nothing' : what} of project '${project.name}'${isPart ? '; the rest of it was whole, and stays' : ''}`,
    ...(aside === null ? [] : [`what was replaced is in ${aside}; delete it once nothing of it is needed`]),
  ]
  await cli.out(`${json ? JSON.stringify({ id: project.id, name: project.name, records, histories, aside }) : shown.join('\n')}\n`)
}
