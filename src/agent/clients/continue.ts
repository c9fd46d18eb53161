import { join } from 'node:path'
import { isObject } from '../../jsonrpc.ts'
import { type Client, type Machine, SERVER_NAME, toEntry } from './client.ts'

const folder = ({ environment, home }: Machine) => environment.CONTINUE_GLOBAL_DIR || join(home, '.continue')

export const continueDev: Client = {
  id: 'continue',
  name: 'Continue',
  format: 'yaml',
  file: (machine) => join(folder(machine), 'config.yaml'),
  servers: ['mcpServers'],
  slot: (name) => ({ path: ['mcpServers'], isOurs: (item) => isObject(item) && item.name === name }),
  toStdio: (launch) => ({ name: SERVER_NAME, type: 'stdio', ...toEntry(launch) }),
  toHttp: ({ url, bearer }) => ({
    name: SERVER_NAME,
    type: 'streamable-http',
    url,
    requestOptions: { headers: { Authorization: `Bearer ${bearer}` } },
  }),
  executable: 'cn',
  folders: (machine) => [folder(machine)],
}
