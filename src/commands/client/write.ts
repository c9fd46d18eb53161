import { type Change, hasKey, keepBackup, toDiff, writeChange } from '../../agent/clients/change.ts'
import { CLIENTS, type Client, findInstalled, requireClient } from '../../agent/clients/clients.ts'
import type { Machine } from '../../agent/clients/machine.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import type { OptionsOf } from '../command.ts'
import { isAgreed } from '../terminal/ask.ts'

/** The argument that names one client, and the options of what writes into settings. */
export const CLIENT = { '[client]': "its name in 'memsvc client list'" }
export const WRITING = { '--dry-run': 'show what would change, and change nothing', '-y, --yes': 'do not ask' }

type Selection = { all?: true }
type WriteOptions = OptionsOf<typeof WRITING>

/**
 * The named client or, with `--all`, those that are installed. @throws Refusal for both or neither, and an unknown
 * name.
 */
export function selectClients(machine: Machine, id: string | undefined, { all }: Selection): Client[] {
  if ((id === undefined) === (all === undefined))
    throw new Refusal("name one client, or give --all; 'memsvc client list' shows them")
  return id === undefined
    ? CLIENTS.filter((client) => findInstalled(client, machine) !== undefined)
    : [requireClient(id)]
}

/** Runs `act` for each client in turn, also after one was refused. @throws Refusal with the last reason. */
export async function eachClient(cli: Cli, clients: Client[], act: (client: Client) => Promise<void>): Promise<void> {
  if (clients.length === 0) throw new Refusal("no known client is installed; 'memsvc client list' shows the known ones")
  const reasons: string[] = []
  for (const client of clients) {
    await act(client).catch((error) => {
      if (!(error instanceof Refusal)) throw error
      reasons.push(error.message)
    })
  }
  for (const reason of reasons.slice(0, -1)) cli.err(`memsvc: ${reason}\n`)
  const last = reasons.at(-1)
  if (last !== undefined) throw new Refusal(last)
}

/**
 * Shows changes and, unless it is a dry run, asks. Returns whether to make them. @throws Refusal if there is no
 * terminal to ask on.
 */
export async function agree(cli: Cli, changes: Change[], { dryRun, yes }: WriteOptions): Promise<boolean> {
  await cli.out(changes.map(toDiff).join('\n'))
  if (dryRun) return false
  return isAgreed(cli, yes, `Change ${changes.map(({ file }) => file).join(', ')}?`)
}

/** Backs up the files that will change, and prints where. */
export async function keepBackups(cli: Cli, changes: Change[]): Promise<void> {
  for (const change of changes) {
    const backup = await keepBackup(change, new Date(cli.clock.now()))
    if (backup !== undefined) cli.err(`backup: ${backup}\n`)
  }
}

export async function writeAll(changes: Change[]): Promise<void> {
  for (const change of changes) await writeChange(change, hasKey(change.after ?? ''))
}
