import { CLIENTS, type Client, findInstalled } from '../../agent/clients/clients.ts'
import type { Machine } from '../../agent/clients/machine.ts'
import { readRegistration } from '../../agent/clients/registration.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'

/** Every known client, and how it is connected. */
export function listClients(cli: Cli) {
  const machine = machineOf(cli)
  return Promise.all(CLIENTS.map((client) => toListed(client, machine)))
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
