import { join } from 'node:path'
import { VERSION } from '../../version.ts'
import type { FileEdit } from './change.ts'
import { type Client, type Machine, toEntry, toUrlEntry } from './client.ts'
import { type HookCommands, type HookEvent, type HookNames, toHookGroup } from './hooks.ts'

const folder = ({ environment, home }: Machine) => environment.CLAUDE_CONFIG_DIR || join(home, '.claude')

const HOOKS: HookNames = { 'session-start': 'SessionStart', 'user-prompt': 'UserPromptSubmit', 'session-end': 'Stop' }
const HOOK_TIMEOUT_S = 5

export const claudeCode: Client = {
  id: 'claude-code',
  name: 'Claude Code',
  format: 'json',
  file: ({ environment, home }) => join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json'),
  servers: ['mcpServers'],
  folderSettings: 'projects',
  slot: (name) => ({ path: ['mcpServers', name] }),
  reference: (variable) => `\${${variable}}`,
  toStdio: (launch) => ({ type: 'stdio', ...toEntry(launch) }),
  toHttp: (remote) => ({ type: 'http', ...toUrlEntry(remote) }),
  executable: 'claude',
  folders: (machine) => [folder(machine)],
  addArguments: (name, { command, args, variables }) => [
    ...['mcp', 'add', '--scope', 'user', name],
    ...Object.entries(variables).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    ...['--', command, ...args],
  ],
  hooks: { names: HOOKS, toEdits: toPluginEdits },
}

/** The plugin folder that Claude Code loads from its skills folder, so that no file of the user changes. */
function toPluginEdits(machine: Machine, commands: HookCommands): FileEdit[] {
  const plugin = join(folder(machine), 'skills', 'memsvc')
  const entries = Object.entries(commands) as [HookEvent, string][]
  const hooks = Object.fromEntries(entries.map(([event, command]) => [HOOKS[event], [toHookGroup(command, HOOK_TIMEOUT_S)]]))
  const description = 'Tells a session what the project memory holds, and reminds to save what was decided.'
  const manifest = { name: 'memsvc', version: VERSION, description, author: { name: 'memsvc' }, license: 'MIT' }
  const toText = (value: object) => (entries.length === 0 ? undefined : `${JSON.stringify(value, null, 2)}\n`)
  return [
    { file: join(plugin, 'hooks', 'hooks.json'), text: toText({ hooks }) },
    { file: join(plugin, '.claude-plugin', 'plugin.json'), text: toText(manifest) },
  ]
}
