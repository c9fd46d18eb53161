import type { Client, Launch, Remote } from './client.ts'

/** Where a client gets the key from: its environment, a file, or its own settings. */
export type KeySource = { kind: 'variable'; key: string } | { kind: 'file'; path: string; key: string } | { kind: 'settings'; key: string }

/** What a client is told: which service, with which key. `endpoint` is undefined if it is the one that the agent takes anyway. */
export type Credentials = { endpoint: string | undefined; source: KeySource }

/** Whether the key itself comes to stand in the client's settings. */
export function holdsKey({ reference }: Client, { kind }: KeySource, isHttp: boolean): boolean {
  if (kind === 'variable') return reference === undefined
  return kind === 'settings' || isHttp
}

/** How a client is to start the agent. */
export function toLaunch(client: Client, { endpoint, source }: Credentials, program: string[]): Launch {
  const [command = '', ...first] = program
  const variables = { ...toKeyVariable(client, source), ...(endpoint !== undefined && { SVC_ENDPOINT: endpoint }) }
  return { command, args: [...first, 'agent'], variables }
}

function toKeyVariable(client: Client, source: KeySource): Record<string, string> {
  return source.kind === 'file' ? { SVC_API_KEY_FILE: source.path } : { SVC_API_KEY: toKeyValue(client, source) }
}

/** How a client is to ask the service itself, at this base URL. */
export function toRemote(client: Client, source: KeySource, baseUrl: string): Remote {
  return { url: `${baseUrl}/mcp`, bearer: toKeyValue(client, source) }
}

function toKeyValue({ reference }: Client, { kind, key }: KeySource): string {
  return kind === 'variable' && reference !== undefined ? reference('SVC_API_KEY') : key
}
