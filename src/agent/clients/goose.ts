import { applicationFolder, type Client, configFolder, type Machine, SERVER_NAME } from './client.ts'

/** Goose keeps its settings in `~/.config` on macOS too. */
const folder = (machine: Machine) =>
  machine.platform === 'win32' ? applicationFolder(machine, 'Block', 'goose', 'config') : `${configFolder(machine)}/goose`

/** Time for one call, in seconds. */
const TIMEOUT_S = 300

export const goose: Client = {
  id: 'goose',
  name: 'Goose',
  format: 'yaml',
  file: (machine) => `${folder(machine)}/config.yaml`,
  servers: ['extensions'],
  slot: (name) => ({ path: ['extensions', name] }),
  toStdio: ({ command, args, variables }) => ({
    enabled: true,
    type: 'stdio',
    name: SERVER_NAME,
    cmd: command,
    args,
    envs: variables,
    timeout: TIMEOUT_S,
  }),
  toHttp: ({ url, bearer }) => ({
    enabled: true,
    type: 'streamable_http',
    name: SERVER_NAME,
    uri: url,
    headers: { Authorization: `Bearer ${bearer}` },
    timeout: TIMEOUT_S,
  }),
  executable: 'goose',
  folders: (machine) => [folder(machine)],
}
