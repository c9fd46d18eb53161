import type { IssuedKey } from '../../account/keys/key.ts'
import { SERVER_NAME } from '../../mcp-clients/form.ts'
import { MCP_CLIENTS, type McpClient } from '../../mcp-clients.ts'
import type { Member } from '../../store/account.ts'
import { type Html, html } from '../markup/html.ts'
import { type PageContent, type PageRequest, toBaseUrl } from '../page.ts'

/** The configuration of an MCP client with a key: where to type or paste it, and the text. */
type ClientSetup = { clientId: string; name: string; where: string; text: string }

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

/**
 * A new key; `at` is the path of the list of keys, `old` says what happens to the key that it replaces, `clientId` what
 * it is for.
 */
type NewKey = IssuedKey & { at: string; member: Pick<Member, 'name'> | undefined; old?: string; clientId?: string }

/** Shows a key, the only time that it is shown, with the configuration of MCP clients. */
export function toNewKey(req: PageRequest, { at, key, secret, member, old, clientId }: NewKey): PageContent {
  const endpoint = `${toBaseUrl(req)}/mcp`
  const body = html`<h1>Your new key</h1>
<p><bdi>${key.label}</bdi>, ${member === undefined ? html`a service key` : html`held by <bdi>${member.name}</bdi>`}. Copy it now: it is not shown again.</p>
<code class="secret">${secret}</code>
${old && html`<p>${old}</p>`}
<section class="panel"><h2>Connect an assistant</h2>
<p class="quiet">The endpoint is <code>${endpoint}</code>.</p>
${toSetups(toClientSetups(endpoint, secret), clientId)}
</section>
<div class="actions"><a class="button" href="${at}">I have copied it</a></div>`
  return { title: 'New key', section: at, body }
}

/** The configuration of the chosen client, with the others folded; of all, if none was chosen or it has none. */
function toSetups(setups: ClientSetup[], clientId: string | undefined): Html {
  const chosen = setups.find((setup) => setup.clientId === clientId)
  if (chosen === undefined) return html`${setups.map(toHowTo)}`
  return html`${toHowTo(chosen)}<details><summary>Other assistants</summary>
${setups.filter((setup) => setup !== chosen).map(toHowTo)}</details>`
}

function toHowTo({ name, where, text }: ClientSetup): Html {
  return html`<h3>${name}</h3>
<p class="quiet">${where}</p>
<pre class="paste">${text}</pre>
`
}
