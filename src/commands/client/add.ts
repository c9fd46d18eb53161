import { setWorkspace } from '../../agent/brief/workspace.ts'
import { type FileEdit, maskKeys, planChanges } from '../../agent/clients/change.ts'
import type { Client } from '../../agent/clients/clients.ts'
import { editSlot } from '../../agent/clients/formats/edit.ts'
import { findHookEvents, HOOK_EVENTS, type HookCommands, type HookEvent } from '../../agent/clients/hooks.ts'
import { type KeptProgram, makeCopies } from '../../agent/clients/kept-program.ts'
import type { Machine } from '../../agent/clients/machine.ts'
import {
  type Credentials,
  holdsKey,
  type KeySource,
  toLaunch,
  toRemote,
  toServerSlot,
} from '../../agent/clients/registration.ts'
import { Refusal } from '../../errors.ts'
import { SERVER_NAME } from '../../mcp-clients/form.ts'
import { requireWorkspace } from '../brief.ts'
import type { Cli } from '../cli.ts'
import { localCommand, type OptionsOf } from '../command.ts'
import { machineOf } from '../machine.ts'
import { type Checked, checkService, findKey, type WantedKey } from './find-key.ts'
import { findProgram, readHookEvents, toHookCommands } from './started-program.ts'
import { agree, CLIENT, eachClient, keepBackups, selectClients, WRITING, writeAll } from './write.ts'

const OPTIONS = {
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
} as const

type AddOptions = OptionsOf<typeof OPTIONS>

const HELP = `
The key is SVC_API_KEY or the one in the file SVC_API_KEY_FILE, which the client's settings then name; else one from standard
input; else, on the machine of the service, a new one. If the key has to be in the settings themselves, the file becomes
readable only by its owner.

Examples:
  memsvc client add claude-code --hooks
  memsvc client add --all --dry-run`

/** What to write into the settings of one client, except for the key. */
type Wish = {
  client: Client
  machine: Machine
  program: KeptProgram
  isHttp: boolean
  hooks: HookCommands | undefined
  /** The name of the entry. */
  name: string
}

/** A name that every client accepts as a part of the names of its tools. */
const ENTRY_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/

export const addCommand = localCommand('add', 'connect a client: show the change, ask, keep a backup, and write', {
  arguments: CLIENT,
  options: OPTIONS,
  more: HELP,
  act: async (cli, options, id?: string) => {
    const { name = SERVER_NAME, workspace, hooks, dryRun, copy = true } = options
    if (!ENTRY_NAME.test(name)) throw new Refusal("--name must have 1 to 32 letters, digits, '_' and '-'")
    if (name !== SERVER_NAME && hooks !== undefined)
      throw new Refusal(`hooks belong to the entry '${SERVER_NAME}'; leave out --name or --hooks`)
    if (workspace !== undefined) requireWorkspace(workspace)
    const machine = machineOf(cli)
    const clients = selectClients(machine, id, options)
    const present = await Promise.all(clients.map((client) => findHookEvents(client.id, client.hooks, machine)))
    const isStarted = !options.http || hooks !== undefined || present.flat().length > 0
    const program = findProgram(cli, { copy, isStarted })
    await eachClient(cli, clients, async (client) => {
      const wish = toWish(client, machine, program, present[clients.indexOf(client)] ?? [], options)
      if (options.print) await cli.out(toSnippet(wish, await findKey(cli, client, machine, { dryRun: true })))
      else await addClient(cli, wish, options)
    })
    if (workspace !== undefined && !dryRun) await setWorkspace(cli.environment, '.', workspace)
  },
})

function toWish(
  client: Client,
  machine: Machine,
  program: KeptProgram,
  present: HookEvent[],
  { all, http, hooks: asked, name = SERVER_NAME }: AddOptions,
): Wish {
  if (http && client.toHttp === undefined) throw new Refusal(`${client.name} starts programs only; leave out --http`)
  if (asked !== undefined && client.hooks === undefined && !all)
    throw new Refusal(`${client.name} has no hooks that memsvc knows`)
  // Hooks that are there follow the program, also if none were asked for.
  const events = asked === undefined && name === SERVER_NAME ? present : readHookEvents(asked)
  return {
    client,
    machine,
    program,
    name,
    isHttp: http === true,
    hooks:
      client.hooks === undefined || events.length === 0 ? undefined : toHookCommands(client, program.words, events),
  }
}

async function addClient(cli: Cli, wish: Wish, options: AddOptions): Promise<void> {
  const { client, machine } = wish
  const key = await findKey(cli, client, machine, options)
  const changes = await planChanges(toEdits(wish, key)).catch((error) => refuseWithSnippet(cli, wish, key, error))
  if (changes.length === 0) {
    // A copy may have been removed since.
    if (!options.dryRun) await makeCopies(wish.program)
    return cli.err(`${await toUnchanged(cli, wish, key)}\n`)
  }
  if (!(await agree(cli, changes, options))) return
  await makeCopies(wish.program)
  await keepBackups(cli, changes)
  const issued = { ...key, source: await key.obtain() }
  await writeAll(await planChanges(toEdits(wish, issued)))
  await report(cli, wish, issued)
}

/** It is connected already only if the service answers to the key. */
async function toUnchanged(cli: Cli, wish: Wish, key: WantedKey): Promise<string> {
  const { client, machine } = wish
  const file = client.file(machine)
  const checked = await checkService(key)
  const text = checked.isAccepted
    ? `${client.name} is connected already (${file}).`
    : `${file} has what ${client.name} needs already.`
  return [`${text} ${checked.text}`, ...(await toMirrorOffers(cli, wish, checked))].join('\n')
}

function toEdits(wish: Wish, credentials: Credentials): FileEdit[] {
  const { client, machine, hooks, name } = wish
  const entry: FileEdit = {
    file: client.file(machine),
    format: client.format,
    slot: toServerSlot(client, name),
    value: toEntry(wish, credentials),
  }
  return hooks === undefined ? [entry] : [entry, ...(client.hooks?.toEdits(machine, hooks) ?? [])]
}

function toEntry({ client, isHttp, program, name }: Wish, credentials: Credentials): Record<string, unknown> {
  const entry =
    isHttp && client.toHttp !== undefined
      ? client.toHttp(toRemote(client, credentials))
      : client.toStdio(toLaunch(client, credentials, program.words))
  return 'name' in entry ? { ...entry, name } : entry
}

/** For a file that cannot be edited, prints what to add to it. */
async function refuseWithSnippet(cli: Cli, wish: Wish, key: WantedKey, error: unknown): Promise<never> {
  if (error instanceof Refusal)
    await cli.out(`Put this into ${wish.client.file(wish.machine)} yourself:\n\n${toSnippet(wish, key)}`)
  throw error
}

/** The settings as a new file, with only the first characters of the key. */
function toSnippet(wish: Wish, credentials: Credentials): string {
  return `${maskKeys(editSlot(wish.client.format, '', toServerSlot(wish.client, wish.name), toEntry(wish, credentials))).trimEnd()}\n`
}

async function report(cli: Cli, wish: Wish, credentials: Credentials & { source: KeySource }): Promise<void> {
  const { client, machine, isHttp, hooks } = wish
  const file = client.file(machine)
  const isInside = holdsKey(client, credentials.source, isHttp)
  const checked = await checkService(credentials)
  const lines = [
    `${client.name} is connected: ${file}`,
    isInside
      ? 'The key is in that file, which only you can read (mode 0600).'
      : 'The key itself is not in the file, which only names where it is.',
    ...(credentials.source.kind === 'variable' && !isInside ? [`Start ${client.name} where SVC_API_KEY is set.`] : []),
    ...(client.note === undefined ? [] : [client.note]),
    ...(hooks === undefined || client.hooks?.note === undefined ? [] : [client.hooks.note]),
    checked.text,
    ...(await toMirrorOffers(cli, wish, checked)),
  ]
  await cli.out(`${lines.join('\n')}\n`)
}

/** Hooks tell what the memory has, so that for imported notes it matters whether they are current. */
async function toMirrorOffers(cli: Cli, { hooks }: Wish, { project }: Checked): Promise<string[]> {
  if (hooks === undefined || project === undefined) return []
  return (await import('./imported-folders.ts')).offerMirrors(cli, project)
}
