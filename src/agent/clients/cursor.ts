import { join } from 'node:path'
import { type Client, toEntry, toUrlEntry } from './client.ts'
import { type HookNames, toHookEdits } from './hooks.ts'

/** Before a prompt, Cursor accepts no text for its model. */
const HOOKS: HookNames = { 'session-start': 'sessionStart', 'session-end': 'stop' }
const HOOK_TIMEOUT_S = 5

export const cursor: Client = {
  id: 'cursor',
  name: 'Cursor',
  format: 'json',
  file: ({ home }) => join(home, '.cursor', 'mcp.json'),
  servers: ['mcpServers'],
  slot: (name) => ({ path: ['mcpServers', name] }),
  reference: (variable) => `\${env:${variable}}`,
  toStdio: toEntry,
  toHttp: toUrlEntry,
  executable: 'cursor',
  folders: ({ home }) => [join(home, '.cursor')],
  hooks: {
    names: HOOKS,
    toEdits: ({ home }, commands) => {
      const file = join(home, '.cursor', 'hooks.json')
      const edits = toHookEdits(file, 'cursor', HOOKS, (command) => ({ command, timeout: HOOK_TIMEOUT_S }), commands)
      const isRemoval = Object.keys(commands).length === 0
      return isRemoval ? edits : [{ file, format: 'json', slot: { path: ['version'] }, value: 1 }, ...edits]
    },
  },
}
