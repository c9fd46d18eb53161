import { type FileEdit, planChanges } from '../../agent/clients/change.ts'
import { CLIENTS, type Client } from '../../agent/clients/clients.ts'
import type { Machine } from '../../agent/clients/machine.ts'
import { toServerSlot } from '../../agent/clients/registration.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'
import { agree, eachClient, keepBackups, type Selection, selectClients, type WriteOptions, writeAll } from './write.ts'

/** `memsvc client remove`. @throws Refusal for an unknown client, and a file that cannot be edited. */
export async function removeClients(cli: Cli, id: string | undefined, options: Selection & WriteOptions): Promise<void> {
  const machine = machineOf(cli)
  const clients = id === undefined && options.all ? CLIENTS : selectClients(machine, id, options)
  await eachClient(cli, clients, (client) => removeClient(cli, machine, client, options))
}

async function removeClient(cli: Cli, machine: Machine, client: Client, options: Selection & WriteOptions): Promise<void> {
  const changes = await planChanges(toRemoval(machine, client))
  if (changes.length === 0) return options.all ? undefined : cli.err(`${client.name} is not connected\n`)
  if (!(await agree(cli, changes, options))) return
  await keepBackups(cli, changes)
  await writeAll(changes)
  await cli.out(
    `${client.name}: no longer connected. Keys stay valid until 'memsvc key revoke', or until they are revoked in the console.\n`,
  )
}

function toRemoval(machine: Machine, client: Client): FileEdit[] {
  const { format, file, hooks } = client
  return [{ file: file(machine), format, slot: toServerSlot(client), value: undefined }, ...(hooks?.toEdits(machine, {}) ?? [])]
}
