import { applicationFolder, type Client, toEntry } from './client.ts'

export const claudeDesktop: Client = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  format: 'json',
  file: (machine) => applicationFolder(machine, 'Claude', 'claude_desktop_config.json'),
  servers: ['mcpServers'],
  slot: (name) => ({ path: ['mcpServers', name] }),
  toStdio: toEntry,
  folders: (machine) => [applicationFolder(machine, 'Claude')],
  note: 'Quit Claude Desktop and start it again.',
}
