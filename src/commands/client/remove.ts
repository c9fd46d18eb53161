import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BACKUP_ENDING, type Change, type FileEdit, hasKey, planChanges, readText } from '../../agent/clients/change.ts'
import { CLIENTS, type Client } from '../../agent/clients/clients.ts'
import { isEmptySettings } from '../../agent/clients/formats/edit.ts'
import type { Machine } from '../../agent/clients/machine.ts'
import { type Registration, readRegistration, toServerSlot } from '../../agent/clients/registration.ts'
import { readStateDir } from '../../agent/config.ts'
import { Refusal } from '../../errors.ts'
import { SERVER_NAME } from '../../mcp-clients/form.ts'
import { isWholeKey, shownOf } from '../../secrets/key.ts'
import type { Cli } from '../cli.ts'
import { localCommand, type OptionsOf } from '../command.ts'
import { machineOf } from '../machine.ts'
import { listClients } from './list.ts'
import { agree, CLIENT, eachClient, keepBackups, selectClients, WRITING, writeAll } from './write.ts'

const OPTIONS = {
  '--all': 'all known clients',
  '--name <name>': 'name of the entry (memsvc if left out)',
  '--revoke': 'revoke the key, if the data of its service is on this machine; otherwise asked at a terminal',
  ...WRITING,
}

type RemoveOptions = OptionsOf<typeof OPTIONS>

export const removeCommand = localCommand('remove', 'remove the service and the hooks from the settings of a client', {
  arguments: CLIENT,
  options: OPTIONS,
  act: async (cli, options, id?: string) => {
    const machine = machineOf(cli)
    const clients = id === undefined && options.all ? CLIENTS : selectClients(machine, id, options)
    let isRemoved = false
    const unrevoked: string[] = []
    await eachClient(cli, clients, async (client) => {
      isRemoved = (await removeClient(cli, machine, client, options, unrevoked)) || isRemoved
    })
    const folder = readStateDir(cli.environment)
    const isLast = isRemoved && (await listClients(cli)).every(({ connected }) => connected === 'no')
    if (isLast && existsSync(folder))
      await cli.out(`No client is connected any more. What is left is the agent's state folder, ${folder}\n`)
    if (options.revoke && unrevoked.length > 0)
      throw new Refusal(
        `not revoked, since the data of their service is not here: ${unrevoked.join(', ')}; run 'memsvc key revoke' with each where 'memsvc serve' runs, or with its SVC_DATA_DIR`,
      )
  },
})

/** Returns whether something was removed. Adds its key to `unrevoked` if the data of its service is not here. */
async function removeClient(
  cli: Cli,
  machine: Machine,
  client: Client,
  options: RemoveOptions,
  unrevoked: string[],
): Promise<boolean> {
  // What is left of an entry that cannot be read is removed, too.
  const registration = await readRegistration(client, machine, options.name).catch(() => undefined)
  const edits = toRemoval(machine, client, options)
  const changes = withoutEmpty(client, machine, await planChanges(edits))
  if (changes.length === 0) {
    if (!options.all) cli.err(`${client.name} is not connected\n`)
    return false
  }
  if (!(await agree(cli, changes, options))) return false
  // A backup would keep the key, or nothing but what is ours.
  await keepBackups(
    cli,
    changes.filter(({ before = '', after }) => !hasKey(before) && after !== undefined),
  )
  await writeAll(changes)
  for (const file of new Set(edits.map((edit) => edit.file))) await removeOwnBackups(file, edits)
  await cli.out(`${client.name}: no longer connected. ${await revokeOrTell(cli, registration, options, unrevoked)}\n`)
  return true
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

/** Removes the backups of a file that `client add` made and in which a key is, or nothing but what `edits` take out. */
async function removeOwnBackups(file: string, edits: FileEdit[]): Promise<void> {
  const names = await readdir(dirname(file)).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(`${basename(file)}.`) && one.endsWith(BACKUP_ENDING))) {
    const path = join(dirname(file), name)
    const inBackup = edits.filter((edit) => edit.file === file).map((edit) => ({ ...edit, file: path }))
    if (hasKey((await readText(path)) ?? '') || (await isEmptiedBy(inBackup))) await rm(path, { force: true })
  }
}

/** Whether edits of one file take out all that it has. One that cannot be edited has something else. */
async function isEmptiedBy(edits: FileEdit[]): Promise<boolean> {
  const [change] = await planChanges(edits).catch(() => [])
  const after = change?.after
  return after !== undefined && edits.some((edit) => 'format' in edit && isEmptySettings(edit.format, after))
}

/**
 * Revokes the key of the entry if a person wants that and the data of its service is here; says what became of it. Adds
 * a key whose service's data is not here to `unrevoked`.
 */
async function revokeOrTell(
  cli: Cli,
  registration: Registration | undefined,
  { revoke, yes }: RemoveOptions,
  unrevoked: string[],
): Promise<string> {
  const { key, endpoint } = registration ?? {}
  if (key === undefined || !isWholeKey(key)) return 'Its settings had no key.'
  const shown = `svc_${shownOf(key)}…`
  const revokeKey = await (await import('./issue-key.ts')).findRevocation(cli, key)
  if (revokeKey === undefined) {
    const ofService = endpoint === undefined ? '' : ` of ${endpoint}`
    unrevoked.push(`${shownOf(key)}${ofService}`)
    return `Its key ${shown}${ofService} stays valid until it is revoked in the console.`
  }
  const isWanted = revoke ?? (!yes && (await cli.confirm?.(`Revoke its key ${shown}?`)))
  if (!isWanted)
    return `Its key ${shown} stays valid until 'memsvc key revoke ${shownOf(key)}', or until it is revoked in the console.`
  await revokeKey()
  return `Its key ${shown} is revoked.`
}
