import { Command } from 'commander'
import type { Cli } from '../cli.ts'

/** `memsvc client list|add|remove`. Their modules are loaded when one of them runs, since loading them would slow down every start of the agent. */
export function clientCommand(cli: Cli): Command {
  return new Command('client')
    .description('connect assistants on this machine with the service')
    .addCommand(list(cli))
    .addCommand(add(cli))
    .addCommand(remove(cli))
}

function list(cli: Cli): Command {
  return new Command('list')
    .description('the clients that are known, which of them are installed, and how they are connected')
    .option('--json', 'print one JSON value')
    .action(async (options: { json?: true }) => (await import('./list.ts')).listClients(cli, options))
}

function add(cli: Cli): Command {
  const command = new Command('add')
    .description('connect a client: shows what will change, asks, keeps a backup, and writes')
    .argument('[client]', "as 'memsvc client list' calls it")
    .option('--all', 'every client that is installed')
    .option('--http', 'let the client ask the service itself, without the agent between')
    .option(
      '--hooks [events]',
      'run memsvc at events of a session: session-start, user-prompt, session-end (the first and the last where none is named)',
    )
    .option('--key-stdin', 'read the key from standard input')
    .option('--project <project>', 'name or id, where the key is issued here and there are several projects')
    .option('--member <member>', 'e-mail or id of who holds a key that is issued here')
  return withWriteOptions(command)
    .option('--print', 'print what belongs into the settings, and change nothing')
    .addHelpText('after', ADD_HELP)
    .action(async (id: string | undefined, options) => (await import('./add.ts')).addClients(cli, id, options))
}

const ADD_HELP = `
The key is SVC_API_KEY or that in the file SVC_API_KEY_FILE, which the client's settings then name; else one from standard
input; else, on the machine of the service, a new one. A key that has to stand in the settings themselves makes the file
readable by its owner only.

Examples:
  memsvc client add claude-code --hooks
  memsvc client add --all --dry-run`

function remove(cli: Cli): Command {
  const command = new Command('remove')
    .description('take the service, and the hooks, out of the settings of a client')
    .argument('[client]', "as 'memsvc client list' calls it")
    .option('--all', 'every client that is known')
  return withWriteOptions(command).action(async (id: string | undefined, options) =>
    (await import('./remove.ts')).removeClients(cli, id, options),
  )
}

function withWriteOptions(command: Command): Command {
  return command.option('--dry-run', 'show what would change, and change nothing').option('-y, --yes', 'do not ask')
}
