/** What to paste, and where. */
export type Configuration = { client: string; where: string; text: string }

/** What connects each of the well-known clients to an endpoint with a key. */
export function toConfigurations(url: string, key: string): Configuration[] {
  const headers = { Authorization: `Bearer ${key}` }
  return [
    {
      client: 'Claude Code',
      where: 'In a terminal',
      text: `claude mcp add --transport http memsvc ${url} --header "Authorization: Bearer ${key}"`,
    },
    {
      client: 'Codex',
      where: 'In a terminal; the variable must be set wherever Codex runs',
      text: `export SVC_API_KEY=${key}\ncodex mcp add memsvc --url ${url} --bearer-token-env-var SVC_API_KEY`,
    },
    { client: 'Cursor', where: 'In ~/.cursor/mcp.json', text: toText({ mcpServers: { memsvc: { url, headers } } }) },
    { client: 'VS Code', where: 'In .vscode/mcp.json', text: toText({ servers: { memsvc: { type: 'http', url, headers } } }) },
  ]
}

const toText = (value: object) => JSON.stringify(value, null, 2)
