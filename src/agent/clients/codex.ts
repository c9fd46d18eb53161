import { join } from 'node:path'
import type { Client, Machine } from './client.ts'
import { type HookNames, toHookEdits, toHookGroup } from './hooks.ts'

const folder = ({ environment, home }: Machine) => environment.CODEX_HOME || join(home, '.codex')

/** Variables are passed on by name; this stands in place of the value. */
const reference = (variable: string) => `$${variable}`

const HOOKS: HookNames = { 'session-start': 'SessionStart', 'user-prompt': 'UserPromptSubmit', 'session-end': 'Stop' }
const HOOK_TIMEOUT_S = 5

export const codex: Client = {
  id: 'codex',
  name: 'Codex',
  format: 'toml',
  file: (machine) => join(folder(machine), 'config.toml'),
  servers: ['mcp_servers'],
  slot: (name) => ({ path: ['mcp_servers', name] }),
  reference,
  toStdio: ({ command, args, variables }) => {
    const entries = Object.entries(variables)
    const handedOn = entries.filter(([name, value]) => value === reference(name)).map(([name]) => name)
    const env = Object.fromEntries(entries.filter(([name]) => !handedOn.includes(name)))
    return {
      command,
      args,
      ...(handedOn.length > 0 && { env_vars: handedOn }),
      ...(Object.keys(env).length > 0 && { env }),
    }
  },
  toHttp: ({ url, bearer }) =>
    bearer === reference('SVC_API_KEY')
      ? { url, bearer_token_env_var: 'SVC_API_KEY' }
      : { url, http_headers: { Authorization: `Bearer ${bearer}` } },
  executable: 'codex',
  folders: (machine) => [folder(machine)],
  addArguments: (name, { command, args }) => ['mcp', 'add', name, '--', command, ...args],
  hooks: {
    names: HOOKS,
    toEdits: (machine, commands) =>
      toHookEdits(join(folder(machine), 'hooks.json'), 'codex', HOOKS, (command) => toHookGroup(command, HOOK_TIMEOUT_S), commands),
    note: 'Codex runs a new hook only after you have trusted it: type /hooks in Codex.',
  },
}
