import { join } from 'node:path'
import { type Client, type Machine, toEntry, toUrlEntry } from './client.ts'
import { type HookNames, toHookEdits, toHookGroup } from './hooks.ts'

const folder = ({ environment, home }: Machine) => join(environment.GEMINI_CLI_HOME || home, '.gemini')

const settings = (machine: Machine) => join(folder(machine), 'settings.json')

const HOOKS: HookNames = { 'session-start': 'SessionStart', 'user-prompt': 'BeforeAgent', 'session-end': 'AfterAgent' }
const HOOK_TIMEOUT_MS = 5_000

export const gemini: Client = {
  id: 'gemini',
  name: 'Gemini CLI',
  format: 'json',
  file: settings,
  servers: ['mcpServers'],
  slot: (name) => ({ path: ['mcpServers', name] }),
  reference: (variable) => `$${variable}`,
  toStdio: toEntry,
  toHttp: (remote) => {
    const { url, ...rest } = toUrlEntry(remote)
    return { httpUrl: url, ...rest }
  },
  executable: 'gemini',
  folders: (machine) => [folder(machine)],
  addArguments: (name, { command, args, variables }) => [
    ...['mcp', 'add', '--scope', 'user'],
    ...Object.entries(variables).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    ...[name, command, ...args],
  ],
  hooks: {
    names: HOOKS,
    toEdits: (machine, commands) =>
      toHookEdits(settings(machine), 'gemini', HOOKS, (command) => toHookGroup(command, HOOK_TIMEOUT_MS), commands),
  },
}
