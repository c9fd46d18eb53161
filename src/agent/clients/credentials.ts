import type { Launch, McpClient, Remote } from '../../mcp-clients.ts'

/** The origin of a client's key: its environment, a file, or its own settings. */
export type KeySource = { kind: 'variable'; key: string } | { kind: 'file'; path: string; key: string } | { kind: 'settings'; key: string }

/** The base URL of the service and the key for a client. */
export type Credentials = { endpoint: string; source: KeySource }

/** Whether the key itself will be stored in the client's settings. */
export function holdsKey({ reference }: McpClient, { kind }: KeySource, isHttp: boolean): boolean {
  if (kind === 'variable') return reference === undefined
  return kind === 'settings' || isHttp
}

/** The command with which a client starts the agent. It always names the address, since one from the environment of a folder would get the key. */
export function toLaunch(client: McpClient, { endpoint, source }: Credentials, program: string[]): Launch {
  const [command = '', ...first] = program
  return { command, args: [...first, 'agent'], variables: { ...toKeyVariable(client, source), SVC_ENDPOINT: endpoint } }
}

function toKeyVariable(client: McpClient, source: KeySource): Record<string, string> {
  return source.kind === 'file' ? { SVC_API_KEY_FILE: source.path } : { SVC_API_KEY: toKeyValue(client, source) }
}

/** The direct connection of a client to the service. */
export function toRemote(client: McpClient, { endpoint, source }: Credentials): Remote {
  return { url: `${endpoint}/mcp`, bearer: toKeyValue(client, source) }
}

function toKeyValue({ reference }: McpClient, { kind, key }: KeySource): string {
  return kind === 'variable' && reference !== undefined ? reference('SVC_API_KEY') : key
}
