import { CLIENTS, type Client, findInstalled } from '../../agent/clients/clients.ts'
import type { Machine } from '../../agent/clients/machine.ts'
import { listRegistrations } from '../../agent/clients/registration.ts'
import { Refusal } from '../../errors.ts'
import { SERVER_NAME } from '../../mcp-clients/form.ts'
import type { Cli } from '../cli.ts'
import { localCommand } from '../command.ts'
import { machineOf } from '../machine.ts'
import { toListing } from '../terminal/text.ts'

export const listCommand = localCommand(
  'list',
  'list the known clients, which of them are installed, and how they are connected',
  {
    act: listClients,
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
  },
)

/** Every known client, and how it is connected. */
export function listClients(cli: Cli) {
  const machine = machineOf(cli)
  return Promise.all(CLIENTS.map((client) => toListed(client, machine)))
}

async function toListed(client: Client, machine: Machine) {
  const { id, name } = client
  const file = client.file(machine)
  return {
    id,
    name,
    installed: findInstalled(client, machine) ?? null,
    connected: await describeRoutes(client, machine),
    file,
  }
}

/** The way to the service, with the name of the entry where that is not the usual one. */
async function describeRoutes(client: Client, machine: Machine): Promise<string> {
  try {
    const routes = (await listRegistrations(client, machine)).map(([name, { route }]) =>
      name === SERVER_NAME ? route : `${route} (${name})`,
    )
    return routes.join(', ') || 'no'
  } catch (error) {
    if (error instanceof Refusal) return 'unreadable'
    throw error
  }
}
