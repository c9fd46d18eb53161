import type { FileEdit } from './change.ts'

/** Events of a session at which a client can run a command. */
export const HOOK_EVENTS = ['session-start', 'user-prompt', 'session-end'] as const

export type HookEvent = (typeof HOOK_EVENTS)[number]

/** The command line of each event that is to have one; without any, the hooks are taken out. */
export type HookCommands = Partial<Record<HookEvent, string>>

/** A client's own names of the events that it has and from which a text reaches its model. */
export type HookNames = Partial<Record<HookEvent, string>>

/** The command line of a hook; `program` is the executable and what comes before its first argument. */
export function toHookCommand(program: string[], event: HookEvent, clientId: string): string {
  return [...program.map(quote), 'hook', event, '--client', clientId].join(' ')
}

/** Double quotes are understood by POSIX shells and by that of Windows. */
function quote(word: string): string {
  return /^[\w./:\\@+=-]+$/.test(word) ? word : `"${word}"`
}

/** Whether an entry of a list of hooks runs ours. */
export function isOurHook(entry: unknown, event: HookEvent, clientId: string): boolean {
  return JSON.stringify(entry).includes(` hook ${event} --client ${clientId}"`)
}

/** Edits of a JSON file whose member `hooks` has a list for each event, as `toItem` writes its items. */
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

/** An item as Claude Code wrote it first, and others after it; `timeout` is in the unit of the client. */
export function toHookGroup(command: string, timeout: number): Record<string, unknown> {
  return { hooks: [{ type: 'command', command, timeout }] }
}
