import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { McpClientId } from '../../mcp-clients.ts'
import { VERSION } from '../../version.ts'
import { type FileEdit, readText } from './change.ts'
import { claudeFolder, type Machine } from './machine.ts'

/** Events of a session at which a client can run a command. */
export const HOOK_EVENTS = ['session-start', 'session-end'] as const

export type HookEvent = (typeof HOOK_EVENTS)[number]

/** The command line of each event with a hook; an empty object removes the hooks. */
export type HookCommands = Partial<Record<HookEvent, string>>

/** How a client runs commands at events of a session. */
export type Hooks = {
  /** The client's names of those events that can pass a text to its model. */
  names: Partial<Record<HookEvent, string>>
  toEdits: (machine: Machine, commands: HookCommands) => FileEdit[]
  /** A note for the user after the hooks were written. */
  note?: string
}

/** The command line of a hook; `program` is the executable and the arguments before ours. */
export function toHookCommand(program: string[], event: HookEvent, clientId: string): string {
  return [...program.map(quote), 'hook', event, '--client', clientId].join(' ')
}

/**
 * A word of a command line. Double quotes work in POSIX shells and on Windows. In the former, `$` and the like are only
 * literal in single quotes.
 */
export function quote(word: string): string {
  if (/^[\w./:\\@+=-]+$/.test(word)) return word
  return /[$`"]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}

/** Whether an entry of a list of hooks is ours. */
function isOurHook(entry: unknown, event: HookEvent, clientId: string): boolean {
  return isHookIn(JSON.stringify(entry), event, clientId)
}

/** Whether a JSON text has a hook of ours. */
function isHookIn(text: string, event: HookEvent, clientId: string): boolean {
  return text.includes(` hook ${event} --client ${clientId}"`)
}

/** Placeholder commands, used only to find the files that would contain hooks. */
const ANY: HookCommands = Object.fromEntries(HOOK_EVENTS.map((event) => [event, '']))

/** The files in which a client's hooks are or would be. */
export function listHookFiles(hooks: Hooks | undefined, machine: Machine): string[] {
  return [...new Set(hooks?.toEdits(machine, ANY).map(({ file }) => file))]
}

/** The events at which a client runs memsvc. A file that cannot be read has none. */
export async function findHookEvents(id: string, hooks: Hooks | undefined, machine: Machine): Promise<HookEvent[]> {
  const files = listHookFiles(hooks, machine)
  const texts = await Promise.all(files.map((file) => readText(file).catch(() => undefined)))
  return HOOK_EVENTS.filter((event) => texts.some((text = '') => isHookIn(text, event, id)))
}

type Item = Record<string, unknown>

export const HOOK_TIMEOUT_S = 5

const entriesOf = <Value>(of: Partial<Record<HookEvent, Value>>) => Object.entries(of) as [HookEvent, Value][]

/**
 * Hooks in a JSON file whose member `hooks` has a list for each event. The file also needs the members of `besides`.
 */
export function hooksIn(
  clientId: McpClientId,
  toFile: (machine: Machine) => string,
  names: Hooks['names'],
  toItem: (command: string) => Item,
  besides: Item = {},
): Hooks {
  const toEdits: Hooks['toEdits'] = (machine, commands) => {
    const inFile = { file: toFile(machine), format: 'json' } as const
    const edits = entriesOf(names).map(([event, name]) => {
      const command = commands[event]
      const slot = { path: ['hooks', name], isOurs: (item: unknown) => isOurHook(item, event, clientId) }
      return { ...inFile, slot, value: command === undefined ? undefined : toItem(command) }
    })
    const isRemoval = Object.keys(commands).length === 0
    const needed = isRemoval
      ? []
      : Object.entries(besides).map(([name, value]) => ({ ...inFile, slot: { path: [name] }, value }))
    return [...needed, ...edits]
  }
  return { names, toEdits }
}

/** An item in the form of Claude Code, which others have adopted; `timeout` is in the unit of the client. */
export function toHookGroup(command: string, timeout: number): Item {
  return { hooks: [{ type: 'command', command, timeout }] }
}

const MADE_FOLDER = {
  note: "memsvc made the folder above this one; 'memsvc client remove' removes it if nothing else is in it",
}

const CLAUDE_CODE_NAMES = { 'session-start': 'SessionStart', 'session-end': 'Stop' }

/** Hooks in a plugin that Claude Code loads from its folder of skills, so that no file of the user changes. */
export const CLAUDE_CODE_HOOKS: Hooks = {
  names: CLAUDE_CODE_NAMES,
  toEdits: (machine, commands) => {
    const entries = entriesOf(commands)
    const hooks = Object.fromEntries(
      entries.map(([event, command]) => [CLAUDE_CODE_NAMES[event], [toHookGroup(command, HOOK_TIMEOUT_S)]]),
    )
    const description = 'Tells a session what the project memory holds, and reminds to save what was decided.'
    const manifest = { name: 'memsvc', version: VERSION, description, author: { name: 'memsvc' }, license: 'MIT' }
    const isRemoval = entries.length === 0
    const toText = (value: object) => (isRemoval ? undefined : `${JSON.stringify(value, null, 2)}\n`)
    const folder = join(claudeFolder(machine), 'skills', 'memsvc')
    const mark = join(folder, 'made-folder.json')
    const isMade = !isRemoval && (existsSync(mark) || !existsSync(dirname(folder)))
    return [
      { file: join(folder, 'hooks', 'hooks.json'), text: toText({ hooks }) },
      { file: join(folder, '.claude-plugin', 'plugin.json'), text: toText(manifest) },
      // Last: with a file of our own, the two folders above it are removed if they are empty.
      { file: mark, text: isMade ? toText(MADE_FOLDER) : undefined },
    ]
  },
}
