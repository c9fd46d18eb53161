import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { optionalDatabaseUrl } from '../config/values.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { moveData, type Place } from '../maintenance/move.ts'
import { askPassphrase } from './backup/passphrase.ts'
import type { Cli } from './cli.ts'
import { loadConfig } from './settings.ts'
import { countOf } from './terminal/count-of.ts'
import { createProgress } from './terminal/progress.ts'

type Options = { from: string; to: string; withoutKey?: true; json?: true }

/** `memsvc move` */
export function moveCommand(cli: Cli): Command {
  return new Command('move')
    .description(
      'move everything from a data folder or a backup into a PostgreSQL database, or from a database into a data folder, while no service runs',
    )
    .requiredOption('--from <place>', "a data folder, a file that 'memsvc backup' wrote, postgres://…, or 'database' for SVC_DATABASE_URL")
    .requiredOption('--to <place>', "an empty data folder, an empty database as postgres://…, or 'database' for SVC_DATABASE_URL")
    .option('--without-key', "leave out a backup's encrypted secret.key")
    .option('--json', 'print one JSON value')
    .action((options: Options) => run(cli, options))
}

async function run(cli: Cli, { from, to, withoutKey, json }: Options): Promise<void> {
  const config = await loadConfig(cli)
  const progress = createProgress(cli)
  const target = toPlace(config, to)
  if (target.kind === 'backup') throw new Refusal(`'${to}' is a file; --to takes a folder or a database`)
  const moved = await moveData({ ...cli, config }, COMMAND_LINE, {
    from: toPlace(config, from),
    to: target,
    passphrase: async () => (withoutKey ? undefined : askPassphrase(cli, config)),
    onProgress: (doing, rows, of) => progress.show(`${doing} ${rows} of ${of} rows`),
  })
  progress.end()
  const rows = Object.values(moved).reduce((sum, count) => sum + count, 0)
  const counts = [
    countOf(moved.accounts, 'account'),
    countOf(moved.members, 'member'),
    countOf(moved.keys, 'key'),
    countOf(moved.projects, 'project'),
    countOf(moved.records, 'record'),
    countOf(moved.historySources, 'session'),
    countOf(moved.audit, 'audit event'),
  ]
  const text = `moved and compared ${countOf(rows, 'row')}: ${counts.join(', ')}\n`
  await cli.out(json ? `${JSON.stringify({ rows, tables: moved })}\n` : text)
}

function toPlace({ databaseUrl }: Config, text: string): Place {
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: 'database', url: readUrl(text) }
  if (text === 'database') {
    if (databaseUrl === undefined) throw new Refusal("'database' stands for SVC_DATABASE_URL, which is not set")
    return { kind: 'database', url: databaseUrl }
  }
  const isFile = statSync(text, { throwIfNoEntry: false })?.isFile() ?? false
  return isFile ? { kind: 'backup', file: text } : { kind: 'folder', path: resolve(text) }
}

function readUrl(text: string): string {
  try {
    return optionalDatabaseUrl(text) ?? ''
  } catch (error) {
    throw new Refusal(`a database of --from and --to ${error instanceof Error ? error.message : error}`)
  }
}
