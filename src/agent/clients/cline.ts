import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { applicationFolder, type Client, type Machine, toEntry, toUrlEntry } from './client.ts'

const extensionFolder = (machine: Machine) => applicationFolder(machine, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev')
const commandFolder = ({ environment, home }: Machine) => environment.CLINE_DIR || join(home, '.cline')

export const cline: Client = {
  id: 'cline',
  name: 'Cline',
  format: 'json',
  file: (machine) => {
    const extension = join(extensionFolder(machine), 'settings', 'cline_mcp_settings.json')
    const command = join(commandFolder(machine), 'data', 'settings', 'cline_mcp_settings.json')
    return existsSync(extensionFolder(machine)) && !existsSync(commandFolder(machine)) ? extension : command
  },
  servers: ['mcpServers'],
  slot: (name) => ({ path: ['mcpServers', name] }),
  toStdio: (launch) => ({ ...toEntry(launch), disabled: false }),
  toHttp: (remote) => ({ type: 'streamableHttp', ...toUrlEntry(remote), disabled: false }),
  executable: 'cline',
  folders: (machine) => [commandFolder(machine), extensionFolder(machine)],
}
