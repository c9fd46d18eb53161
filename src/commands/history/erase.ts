import { Command } from 'commander'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { countOf } from '../terminal/count-of.ts'
import { createHistoryClient, SESSION_ARGUMENT } from './service.ts'

type Options = { all?: true; yes?: true; json?: true }

/** `memsvc history erase` */
export function eraseCommand(cli: Cli): Command {
  return new Command('erase')
    .description('erase a session and its subagents at the service for good; the files on this machine stay and are not uploaded again')
    .argument('[session]', SESSION_ARGUMENT)
    .option('--all', 'every session that you have uploaded to the project')
    .option('--yes', 'do not ask; this cannot be undone')
    .option('--json', 'print one JSON value')
    .action((id: string | undefined, options: Options) => erase(cli, id, options))
}

async function erase(cli: Cli, id: string | undefined, { all, yes, json }: Options): Promise<void> {
  if ((id === undefined) === (all === undefined)) throw new Refusal('give the id of a session, or --all')
  const what = id === undefined ? 'every session that you have uploaded' : `session ${id}`
  if (!yes && !(await cli.confirm?.(`Erase ${what} for good?`))) throw new Refusal(`this erases ${what} for good; add --yes to do it`)
  const client = createHistoryClient(cli)
  const erased = id === undefined ? await client.eraseAll() : await client.erase(id)
  const { sources, lines } = erased
  await cli.out(json ? `${JSON.stringify(erased)}\n` : `erased ${countOf(sources, 'session')} with ${countOf(lines, 'line')}\n`)
}
