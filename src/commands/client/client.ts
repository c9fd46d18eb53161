import { HOOK_EVENTS } from '../../agent/clients/hooks.ts'
import { commandGroup, localCommand } from '../command.ts'
import { toListing } from '../terminal/text.ts'

const CLIENT = { '[client]': "its name in 'memsvc client list'" }
const WRITING = { '--dry-run': 'show what would change, and change nothing', '-y, --yes': 'do not ask' }

const ADD_HELP = `
The key is SVC_API_KEY or the one in the file SVC_API_KEY_FILE, which the client's settings then name; else one from standard
input; else, on the machine of the service, a new one. If the key has to be in the settings themselves, the file becomes
readable only by its owner.

Examples:
  memsvc client add claude-code --hooks
  memsvc client add --all --dry-run`

/**
 * The modules of these commands are loaded when one of them runs, since loading them would slow down every start of the
 * agent.
 */
export const clientCommand = commandGroup('client', 'connect assistants on this machine to the service', [
  localCommand('list', 'list the known clients, which of them are installed, and how they are connected', {
    act: async (cli) => (await import('./list.ts')).listClients(cli),
    toText: (clients) =>
      toListing(
        clients,
        {
          CLIENT: 'id',
          NAME: 'name',
          INSTALLED: ({ installed }) => installed ?? 'no',
          CONNECTED: 'connected',
          SETTINGS: 'file',
        },
        '',
      ),
  }),
  localCommand('add', 'connect a client: show the change, ask, keep a backup, and write', {
    arguments: CLIENT,
    options: {
      '--all': 'all installed clients',
      '--http': 'let the client call the service directly, without the local agent',
      '--hooks [events]': `run memsvc at events of a session: ${HOOK_EVENTS.join(', ')} (both if none is named)`,
      '--key-stdin': 'read the key from standard input',
      '--project <project>': 'name or id of the project; a key of another one is replaced by one that is issued here',
      '--workspace <name>': 'choose this workspace for sessions in the current folder, as memsvc workspace use does',
      '--name <name>': 'name of the entry, for several services or projects in one client (memsvc if left out)',
      '--member <member>': 'e-mail, name or id of the holder of a key that is issued here',
      ...WRITING,
      '--no-copy': 'let the settings name this program where npx or bunx put it, in a cache, and not a copy that stays',
      '--print': 'print what belongs in the settings, and change nothing',
    },
    more: ADD_HELP,
    act: async (cli, { copy = true, ...options }, id?: string) =>
      (await import('./add.ts')).addClients(cli, id, { ...options, copy }),
  }),
  localCommand('remove', 'remove the service and the hooks from the settings of a client', {
    arguments: CLIENT,
    options: {
      '--all': 'all known clients',
      '--name <name>': 'name of the entry (memsvc if left out)',
      '--revoke': 'revoke the key, if the data of its service is on this machine; otherwise asked at a terminal',
      ...WRITING,
    },
    act: async (cli, options, id?: string) => (await import('./remove.ts')).removeClients(cli, id, options),
  }),
])
