import { join } from 'node:path'
import { applicationFolder, type Client, toEntry } from './client.ts'

export const jetbrains: Client = {
  id: 'jetbrains',
  name: 'JetBrains (Junie)',
  format: 'json',
  file: ({ home }) => join(home, '.junie', 'mcp', 'mcp.json'),
  servers: ['mcpServers'],
  slot: (name) => ({ path: ['mcpServers', name] }),
  toStdio: toEntry,
  folders: (machine) => [join(machine.home, '.junie'), applicationFolder(machine, 'JetBrains')],
  note: "AI Assistant has no file for servers: paste what '--print' prints at Settings | Tools | AI Assistant | Model Context Protocol.",
}
