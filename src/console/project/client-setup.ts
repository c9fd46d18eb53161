import { MCP_CLIENTS, type McpClient, SERVER_NAME } from '../../mcp-clients.ts'

/** The configuration of an MCP client with a key: where to type or paste it, and the text. */
export type ClientSetup = { clientId: string; name: string; where: string; text: string }

/** The configurations of all clients that accept a URL and a header. `url` is the URL of the endpoint. */
export function toClientSetups(url: string, key: string): ClientSetup[] {
  return MCP_CLIENTS.flatMap((client) => toSetup(client, url, key) ?? [])
}

/** The configuration of one client; undefined if it accepts no URL and header, or is unknown. */
export function findClientSetup(clientId: string, url: string, key: string): ClientSetup | undefined {
  return toClientSetups(url, key).find((setup) => setup.clientId === clientId)
}

function toSetup(
  { id: clientId, name, format, servers, isList, toHttp, ...shown }: McpClient,
  url: string,
  key: string,
) {
  const { settings, ownCommands, ownCommandsNote: note } = shown
  if (ownCommands !== undefined)
    return {
      clientId,
      name,
      where: `In a terminal${note === undefined ? '' : `; ${note}`}`,
      text: ownCommands(url, key),
    }
  if (toHttp === undefined || settings === undefined) return undefined
  const entry = toHttp({ url, bearer: key })
  const content = { [servers]: isList ? [entry] : { [SERVER_NAME]: entry } }
  const text = format === 'yaml' ? Bun.YAML.stringify(content, null, 2).trimEnd() : JSON.stringify(content, null, 2)
  return { clientId, name, where: `In ${settings}`, text }
}
