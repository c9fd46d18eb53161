import type { FileEdit } from './change.ts'

/** Events of a session at which a client can run a command. */
export const HOOK_EVENTS = ['session-start', 'user-prompt', 'session-end'] as const

export type HookEvent = (typeof HOOK_EVENTS)[number]

/** The command line of each event with a hook; an empty object removes the hooks. */
export type HookCommands = Partial<Record<HookEvent, string>>

/** The client's names of those events that can pass a text to its model. */
export type HookNames = Partial<Record<HookEvent, string>>

/** The command line of a hook; `program` is the executable and the arguments before ours. */
export function toHookCommand(program: string[], event: HookEvent, clientId: string): string {
  return [...program.map(quote), 'hook', event, '--client', clientId].join(' ')
}

/** Double quotes work in POSIX shells and on Windows. */
function quote(word: string): string {
  return /^[\w./:\\@+=-]+$/.test(word) ? word : `"${word}"`
}

/** Whether an entry of a list of hooks is ours. */
function isOurHook(entry: unknown, event: HookEvent, clientId: string): boolean {
  return JSON.stringify(entry).includes(` hook ${event} --client ${clientId}"`)
}

/** Edits of a JSON file whose member `hooks` has a list for each event, with items in the form of `toItem`. */
export function toHookEdits(
  file: string,
  clientId: string,
  names: HookNames,
  toItem: (command: string, event: HookEvent) => Record<string, unknown>,
  commands: HookCommands,
): FileEdit[] {
  return (Object.entries(names) as [HookEvent, string][]).map(([event, name]) => {
    const command = commands[event]
    const slot = { path: ['hooks', name], isOurs: (item: unknown) => isOurHook(item, event, clientId) }
    return { file, format: 'json', slot, value: command === undefined ? undefined : toItem(command, event) }
  })
}

/** An item in the form of Claude Code, which others have adopted; `timeout` is in the unit of the client. */
export function toHookGroup(command: string, timeout: number): Record<string, unknown> {
  return { hooks: [{ type: 'command', command, timeout }] }
}
