import { CLIENTS } from '../../agent/clients/all.ts'
import { readText } from '../../agent/clients/change.ts'
import { type Client, type Machine, SERVER_NAME } from '../../agent/clients/client.ts'
import { findInstalled } from '../../agent/clients/detect.ts'
import { parseSettings, readSlot } from '../../agent/clients/formats/slot.ts'
import { readRegistration } from '../../agent/clients/registration.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { toTable } from '../terminal/table.ts'
import { machineOf } from './write.ts'

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
  return { id, name, installed: findInstalled(client, machine) ?? null, connected: await findRoute(client, file), file }
}

async function findRoute({ format, slot }: Client, file: string): Promise<string> {
  try {
    const text = await readText(file)
    const entry = text === undefined ? undefined : readSlot(parseSettings(format, text), slot(SERVER_NAME))
    const registration = readRegistration(entry)
    return registration === undefined ? 'no' : registration.route
  } catch (error) {
    if (error instanceof Refusal) return 'unreadable'
    throw error
  }
}
