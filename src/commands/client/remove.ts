import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BACKUP_ENDING, type Change, type FileEdit, hasKey, planChanges } from '../../agent/clients/change.ts'
import { CLIENTS, type Client } from '../../agent/clients/clients.ts'
import { isEmptySettings } from '../../agent/clients/formats/edit.ts'
import type { Machine } from '../../agent/clients/machine.ts'
import { type Registration, readRegistration, toServerSlot } from '../../agent/clients/registration.ts'
import { readText } from '../../agent/clients/text-file.ts'
import { SERVER_NAME } from '../../mcp-clients.ts'
import { isWholeKey, shownOf } from '../../secrets/key.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'
import { agree, eachClient, keepBackups, type Selection, selectClients, type WriteOptions, writeAll } from './write.ts'

type RemoveOptions = Selection & WriteOptions & { name?: string; revoke?: true }

/** `memsvc client remove`. @throws Refusal for an unknown client, and a file that cannot be edited. */
export async function removeClients(cli: Cli, id: string | undefined, options: RemoveOptions): Promise<void> {
  const machine = machineOf(cli)
  const clients = id === undefined && options.all ? CLIENTS : selectClients(machine, id, options)
  await eachClient(cli, clients, (client) => removeClient(cli, machine, client, options))
}

async function removeClient(cli: Cli, machine: Machine, client: Client, options: RemoveOptions): Promise<void> {
  // What is left of an entry that cannot be read is removed, too.
  const registration = await readRegistration(client, machine, options.name).catch(() => undefined)
  const changes = withoutEmpty(client, machine, await planChanges(toRemoval(machine, client, options)))
  if (changes.length === 0) return options.all ? undefined : cli.err(`${client.name} is not connected\n`)
  if (!(await agree(cli, changes, options))) return
  // A backup would keep the key.
  await keepBackups(
    cli,
    changes.filter(({ before = '' }) => !hasKey(before)),
  )
  await writeAll(changes)
  await removeBackupsWithKeys(client.file(machine))
  await cli.out(`${client.name}: no longer connected. ${await revokeOrTell(cli, registration, options)}\n`)
}

function toRemoval(machine: Machine, client: Client, { name = SERVER_NAME }: RemoveOptions): FileEdit[] {
  const { format, file, hooks } = client
  const entry: FileEdit = { file: file(machine), format, slot: toServerSlot(client, name), value: undefined }
  return name === SERVER_NAME ? [entry, ...(hooks?.toEdits(machine, {}) ?? [])] : [entry]
}

/** The same changes; a file of settings in which nothing would be left is removed. */
function withoutEmpty({ format, file }: Client, machine: Machine, changes: Change[]): Change[] {
  return changes.map((change) => {
    const isEmpty =
      !change.isOwn && isEmptySettings(change.file === file(machine) ? format : 'json', change.after ?? '')
    return isEmpty ? { ...change, after: undefined } : change
  })
}

/** Removes the backups of a file that `client add` made and in which a key is. */
async function removeBackupsWithKeys(file: string): Promise<void> {
  const names = await readdir(dirname(file)).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(`${basename(file)}.`) && one.endsWith(BACKUP_ENDING))) {
    const path = join(dirname(file), name)
    if (hasKey((await readText(path)) ?? '')) await rm(path, { force: true })
  }
}

/**
 * Revokes the key of the entry if a person wants that, and it is of a service on this machine; says what became of it.
 */
async function revokeOrTell(
  cli: Cli,
  registration: Registration | undefined,
  { revoke, yes }: RemoveOptions,
): Promise<string> {
  const { key } = registration ?? {}
  if (key === undefined || !isWholeKey(key)) return 'Its settings had no key.'
  const shown = `svc_${shownOf(key)}…`
  const revokeKey = await (await import('./issue-key.ts')).findRevocation(cli, key)
  if (revokeKey === undefined) return `Its key ${shown} stays valid until it is revoked in the console.`
  const isWanted = revoke ?? (!yes && (await cli.confirm?.(`Revoke its key ${shown}?`)))
  if (!isWanted)
    return `Its key ${shown} stays valid until 'memsvc key revoke ${shownOf(key)}', or until it is revoked in the console.`
  await revokeKey()
  return `Its key ${shown} is revoked.`
}
