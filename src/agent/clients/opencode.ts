import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, configFolder, type Machine } from './client.ts'

const folder = (machine: Machine) => join(configFolder(machine), 'opencode')

/** The files that opencode reads; the first that exists is used. */
const FILES = ['opencode.jsonc', 'opencode.json']

export const opencode: Client = {
  id: 'opencode',
  name: 'opencode',
  format: 'json',
  file: (machine) => {
    const paths = FILES.map((file) => join(folder(machine), file))
    return paths.find((path) => existsSync(path)) ?? join(folder(machine), 'opencode.json')
  },
  servers: ['mcp'],
  slot: (name) => ({ path: ['mcp', name] }),
  reference: (variable) => `{env:${variable}}`,
  toStdio: ({ command, args, variables }) => ({ type: 'local', command: [command, ...args], environment: variables, enabled: true }),
  toHttp: ({ url, bearer }) => ({ type: 'remote', url, headers: { Authorization: `Bearer ${bearer}` }, oauth: false, enabled: true }),
  executable: 'opencode',
  folders: (machine) => [folder(machine)],
}
