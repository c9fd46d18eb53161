import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, configFolder, type Machine } from './client.ts'

const folder = (machine: Machine) => join(configFolder(machine), 'opencode')

/** Of the files that opencode reads, the first that is there. */
const FILES = ['opencode.jsonc', 'opencode.json']
/** The file that its own command makes where there is none. */
const NEW_FILE = 'opencode.jsonc'

export const opencode: Client = {
  id: 'opencode',
  name: 'opencode',
  format: 'json',
  file: (machine) => {
    const paths = FILES.map((file) => join(folder(machine), file))
    return paths.find((path) => existsSync(path)) ?? join(folder(machine), NEW_FILE)
  },
  servers: ['mcp'],
  slot: (name) => ({ path: ['mcp', name] }),
  reference: (variable) => `{env:${variable}}`,
  toStdio: ({ command, args, variables }) => ({ type: 'local', command: [command, ...args], environment: variables, enabled: true }),
  toHttp: ({ url, bearer }) => ({ type: 'remote', url, headers: { Authorization: `Bearer ${bearer}` }, oauth: false, enabled: true }),
  executable: 'opencode',
  folders: (machine) => [folder(machine)],
  addArguments: (name, { command, args, variables }) => [
    ...['mcp', 'add', name],
    ...Object.entries(variables).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    ...['--', command, ...args],
  ],
}
