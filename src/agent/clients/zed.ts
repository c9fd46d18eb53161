import { join } from 'node:path'
import { applicationFolder, type Client, configFolder, type Machine, toEntry, toUrlEntry } from './client.ts'

/** Zed keeps its settings in `~/.config` on macOS too. */
const folder = (machine: Machine) => (machine.platform === 'win32' ? applicationFolder(machine, 'Zed') : join(configFolder(machine), 'zed'))

export const zed: Client = {
  id: 'zed',
  name: 'Zed',
  format: 'json',
  file: (machine) => join(folder(machine), 'settings.json'),
  servers: ['context_servers'],
  slot: (name) => ({ path: ['context_servers', name] }),
  toStdio: toEntry,
  toHttp: toUrlEntry,
  executable: 'zed',
  folders: (machine) => [folder(machine)],
}
