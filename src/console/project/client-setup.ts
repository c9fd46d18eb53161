/** The configuration of an MCP client with a key: where to type or paste it, and the text. `clientId` is that of `MCP_CLIENTS`. */
export type ClientSetup = { clientId: string; where: string; text: string }

/** The configurations of all clients that accept a URL and a header. `url` is that of the endpoint. */
export function toClientSetups(url: string, key: string): ClientSetup[] {
  const authorization = `Authorization: Bearer ${key}`
  const headers = { Authorization: `Bearer ${key}` }
  return [
    {
      clientId: 'claude-code',
      where: 'In a terminal',
      text: `claude mcp add --transport http memsvc ${url} --header "${authorization}"`,
    },
    {
      clientId: 'codex',
      where: 'In a terminal; the variable must be set wherever Codex runs',
      text: `export SVC_API_KEY=${key}\ncodex mcp add memsvc --url ${url} --bearer-token-env-var SVC_API_KEY`,
    },
    {
      clientId: 'gemini',
      where: 'In a terminal',
      text: `gemini mcp add --scope user --transport http memsvc ${url} --header "${authorization}"`,
    },
    {
      clientId: 'opencode',
      where: 'In a terminal',
      text: `opencode mcp add memsvc --url ${url} --header "Authorization=Bearer ${key}"`,
    },
    {
      clientId: 'cline',
      where: 'In a terminal',
      text: `cline mcp add memsvc ${url} --transport http --header "${authorization}" --yes`,
    },
    { clientId: 'cursor', where: 'In ~/.cursor/mcp.json', text: toJson({ mcpServers: { memsvc: { url, headers } } }) },
    {
      clientId: 'vscode',
      where: 'In the mcp.json that the command "MCP: Open User Configuration" opens',
      text: toJson({ servers: { memsvc: { type: 'http', url, headers } } }),
    },
    {
      clientId: 'windsurf',
      where: 'In ~/.codeium/windsurf/mcp_config.json',
      text: toJson({ mcpServers: { memsvc: { serverUrl: url, headers } } }),
    },
    { clientId: 'zed', where: 'In ~/.config/zed/settings.json', text: toJson({ context_servers: { memsvc: { url, headers } } }) },
    { clientId: 'continue', where: 'In ~/.continue/config.yaml', text: toContinueYaml(url, authorization) },
  ]
}

/** The configuration of one client; undefined if it accepts no URL and header, or is unknown. */
export function findClientSetup(clientId: string, url: string, key: string): ClientSetup | undefined {
  return toClientSetups(url, key).find((setup) => setup.clientId === clientId)
}

const toJson = (value: object) => JSON.stringify(value, null, 2)

function toContinueYaml(url: string, authorization: string): string {
  return `mcpServers:
  - name: memsvc
    type: streamable-http
    url: ${url}
    requestOptions:
      headers:
        ${authorization}`
}
