import { type Html, html } from '../markup/html.ts'

type NewKeyPage = {
  /** The key itself. */
  secret: string
  label: string
  /** The name of the member who holds it; undefined for a service key. */
  holder: string | undefined
  /** The URL of the MCP endpoint. */
  endpoint: string
  /** The path of the list of keys. */
  at: string
  /** What becomes of the key that this one replaces. */
  old?: string | undefined
}

/** Shows a key, the only time that it can be shown, with what to paste into MCP clients. */
export function toNewKey({ secret, label, holder, endpoint, at, old }: NewKeyPage): Html {
  return html`<h1>Your new key</h1>
<p><bdi>${label}</bdi>, ${holder === undefined ? html`a service key` : html`held by <bdi>${holder}</bdi>`}. Keep it now: it cannot be shown again.</p>
<code class="secret">${secret}</code>
${old && html`<p>${old}</p>`}
<section class="panel"><h2>Connect a client</h2>
<p class="quiet">The endpoint is <code>${endpoint}</code>.</p>
${toClientSetups(endpoint, secret).map(
  ({ client, where, text }) => html`<h3>${client}</h3>
<p class="quiet">${where}</p>
<pre class="paste">${text}</pre>\n`,
)}
</section>
<div class="actions"><a class="button" href="${at}">I have kept it</a></div>`
}

/** What to paste into an MCP client, and where. */
type ClientSetup = { client: string; where: string; text: string }

function toClientSetups(url: string, key: string): ClientSetup[] {
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
    { client: 'Cursor', where: 'In ~/.cursor/mcp.json', text: toJson({ mcpServers: { memsvc: { url, headers } } }) },
    { client: 'VS Code', where: 'In .vscode/mcp.json', text: toJson({ servers: { memsvc: { type: 'http', url, headers } } }) },
  ]
}

const toJson = (value: object) => JSON.stringify(value, null, 2)
