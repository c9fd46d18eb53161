import { CLIENTS, type Client, findInstalled } from '../../agent/clients/clients.ts'
import type { Machine } from '../../agent/clients/machine.ts'
import { readRegistration } from '../../agent/clients/registration.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'
import { toTable } from '../terminal/table.ts'

/** `memsvc client list` */
export async function listClients(cli: Cli, { json }: { json?: true }): Promise<void> {
  const machine = machineOf(cli)
  const listed = await Promise.all(CLIENTS.map((client) => toListed(client, machine)))
  if (json) return void (await cli.out(`${JSON.stringify(listed)}\n`))
  const rows = listed.map(({ id, name, installed, connected, file }) => [id, name, installed ?? 'no', connected, file])
  await cli.out(`${toTable(['CLIENT', 'NAME', 'INSTALLED', 'CONNECTED', 'SETTINGS'], rows, '')}\n`)
}

async function toListed(client: Client, machine: Machine) {
  const { id, name } = client
  const file = client.file(machine)
  return { id, name, installed: findInstalled(client, machine) ?? null, connected: await findRoute(client, machine), file }
}

async function findRoute(client: Client, machine: Machine): Promise<string> {
  try {
    return (await readRegistration(client, machine))?.route ?? 'no'
  } catch (error) {
    if (error instanceof Refusal) return 'unreadable'
    throw error
  }
}
