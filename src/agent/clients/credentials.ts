import type { Client, Launch, Remote } from './client.ts'

/** The origin of a client's key: its environment, a file, or its own settings. */
export type KeySource = { kind: 'variable'; key: string } | { kind: 'file'; path: string; key: string } | { kind: 'settings'; key: string }

/** The service and the key for a client. `endpoint` is undefined if it is the agent's default. */
export type Credentials = { endpoint: string | undefined; source: KeySource }

/** Whether the key itself will be stored in the client's settings. */
export function holdsKey({ reference }: Client, { kind }: KeySource, isHttp: boolean): boolean {
  if (kind === 'variable') return reference === undefined
  return kind === 'settings' || isHttp
}

/** The command with which a client starts the agent. */
export function toLaunch(client: Client, { endpoint, source }: Credentials, program: string[]): Launch {
  const [command = '', ...first] = program
  const variables = { ...toKeyVariable(client, source), ...(endpoint !== undefined && { SVC_ENDPOINT: endpoint }) }
  return { command, args: [...first, 'agent'], variables }
}

function toKeyVariable(client: Client, source: KeySource): Record<string, string> {
  return source.kind === 'file' ? { SVC_API_KEY_FILE: source.path } : { SVC_API_KEY: toKeyValue(client, source) }
}

/** The direct connection of a client to the service at this base URL. */
export function toRemote(client: Client, source: KeySource, baseUrl: string): Remote {
  return { url: `${baseUrl}/mcp`, bearer: toKeyValue(client, source) }
}

function toKeyValue({ reference }: Client, { kind, key }: KeySource): string {
  return kind === 'variable' && reference !== undefined ? reference('SVC_API_KEY') : key
}
