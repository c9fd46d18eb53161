import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { applicationFolder, type Client, configFolder, type Machine, toEntry, toUrlEntry } from './client.ts'

/** The program, and with it its folder, was renamed in 2026. */
const folder = (machine: Machine) =>
  machine.platform === 'win32' ? applicationFolder(machine, 'devin') : join(configFolder(machine), 'devin')
const olderFolder = ({ home }: Machine) => join(home, '.codeium', 'windsurf')
const isOlder = (machine: Machine) => !existsSync(folder(machine)) && existsSync(olderFolder(machine))

export const windsurf: Client = {
  id: 'windsurf',
  name: 'Windsurf (Devin Desktop)',
  format: 'json',
  file: (machine) => join(isOlder(machine) ? olderFolder(machine) : folder(machine), 'mcp_config.json'),
  servers: ['mcpServers'],
  slot: (name) => ({ path: ['mcpServers', name] }),
  reference: (variable) => `\${env:${variable}}`,
  toStdio: toEntry,
  // The older program reads `serverUrl`, the newer one `url`; each ignores the other.
  toHttp: (remote) => ({ serverUrl: remote.url, ...toUrlEntry(remote) }),
  executable: 'windsurf',
  folders: (machine) => [folder(machine), olderFolder(machine)],
}
