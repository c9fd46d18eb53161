import { Command } from 'commander'
import { HOOK_EVENTS } from '../../agent/clients/hooks.ts'
import type { Cli } from '../cli.ts'

/** `memsvc client list|add|remove`. Their modules are loaded when one of them runs, since loading them would slow down every start of the agent. */
export function clientCommand(cli: Cli): Command {
  return new Command('client')
    .description('connect assistants on this machine to the service')
    .addCommand(list(cli))
    .addCommand(add(cli))
    .addCommand(remove(cli))
}

function list(cli: Cli): Command {
  return new Command('list')
    .description('list the known clients, which of them are installed, and how they are connected')
    .option('--json', 'print one JSON value')
    .action(async (options: { json?: true }) => (await import('./list.ts')).listClients(cli, options))
}

function add(cli: Cli): Command {
  const command = new Command('add')
    .description('connect a client: show the change, ask, keep a backup, and write')
    .argument('[client]', "its name in 'memsvc client list'")
    .option('--all', 'all installed clients')
    .option('--http', 'let the client call the service directly, without the local agent')
    .option('--hooks [events]', `run memsvc at events of a session: ${HOOK_EVENTS.join(', ')} (the first and the last if none is named)`)
    .option('--key-stdin', 'read the key from standard input')
    .option('--project <project>', 'name or id of the project of a key that is issued here; only needed if there are several')
    .option('--member <member>', 'e-mail or id of the holder of a key that is issued here')
  return withWriteOptions(command)
    .option('--no-copy', 'let the settings name this program where npx or bunx put it, in a cache, and not a copy that stays')
    .option('--print', 'print what belongs in the settings, and change nothing')
    .addHelpText('after', ADD_HELP)
    .action(async (id: string | undefined, options) => (await import('./add.ts')).addClients(cli, id, options))
}

const ADD_HELP = `
The key is SVC_API_KEY or the one in the file SVC_API_KEY_FILE, which the client's settings then name; else one from standard
input; else, on the machine of the service, a new one. If the key has to be in the settings themselves, the file becomes
readable only by its owner.

Examples:
  memsvc client add claude-code --hooks
  memsvc client add --all --dry-run`

function remove(cli: Cli): Command {
  const command = new Command('remove')
    .description('remove the service and the hooks from the settings of a client')
    .argument('[client]', "its name in 'memsvc client list'")
    .option('--all', 'all known clients')
  return withWriteOptions(command).action(async (id: string | undefined, options) =>
    (await import('./remove.ts')).removeClients(cli, id, options),
  )
}

function withWriteOptions(command: Command): Command {
  return command.option('--dry-run', 'show what would change, and change nothing').option('-y, --yes', 'do not ask')
}
