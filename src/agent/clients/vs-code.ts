import { applicationFolder, type Client, toEntry, toUrlEntry } from './client.ts'

export const vsCode: Client = {
  id: 'vscode',
  name: 'VS Code',
  format: 'json',
  file: (machine) => applicationFolder(machine, 'Code', 'User', 'mcp.json'),
  servers: ['servers'],
  slot: (name) => ({ path: ['servers', name] }),
  reference: (variable) => `\${env:${variable}}`,
  toStdio: (launch) => ({ type: 'stdio', ...toEntry(launch) }),
  toHttp: (remote) => ({ type: 'http', ...toUrlEntry(remote) }),
  executable: 'code',
  folders: (machine) => [applicationFolder(machine, 'Code')],
}
