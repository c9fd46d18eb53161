import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { Refusal } from '../../errors.ts'
import { restoreAll, restoreProject } from '../../maintenance/restore.ts'
import { type Cli, withService } from '../cli.ts'
import { loadConfig } from '../settings.ts'
import { askPassphrase } from './passphrase.ts'
import { toJson, toLines } from './shown.ts'

type Options = { data?: string; as?: string; project?: string; account?: string; withoutKey?: true; json?: true }

/** `memsvc restore` */
export function restoreCommand(cli: Cli): Command {
  return new Command('restore')
    .description('restore a backup into an empty data folder, or one project of it as a new project')
    .argument('<file>', "a backup written by 'memsvc backup'")
    .option('--data <folder>', 'restore everything into this folder instead of SVC_DATA_DIR; it must be empty or not exist')
    .option('--without-key', 'leave out an encrypted secret.key')
    .option('--as <name>', 'restore one project of the backup as a new project of this name, also while the service runs')
    .option('--project <project>', 'with --as: the project of the backup, name or id')
    .option('--account <account>', 'with --as: the account that gets it, name or id; only needed if there are several')
    .option('--json', 'print one JSON value')
    .action((file: string, options: Options) =>
      options.as === undefined ? restoreWhole(cli, file, options) : restoreOne(cli, file, options.as, options),
    )
}

async function restoreWhole(cli: Cli, archive: string, { data, project, account, withoutKey, json }: Options): Promise<void> {
  if (project !== undefined || account !== undefined) throw new Refusal('add --as <name> to restore one project')
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

async function restoreOne(cli: Cli, archive: string, name: string, { data, project, account, json }: Options): Promise<void> {
  if (data !== undefined) throw new Refusal('--data does not go with --as: set SVC_DATA_DIR')
  const made = await withService(cli, async (service) => {
    const input = { archive, name, account: await requireAccount(service, account), project }
    return restoreProject(service, COMMAND_LINE, input)
  })
  const shown = `restored as project '${made.name}', id ${made.id}; it has no keys yet: 'memsvc key issue --project ${made.id}'`
  await cli.out(`${json ? JSON.stringify({ id: made.id, name: made.name, account_id: made.accountId }) : shown}\n`)
}
