import type { IssuedKey } from '../../account/keys/key.ts'
import type { Member } from '../../store/account.ts'
import { type Html, html } from '../markup/html.ts'
import { type PageContent, type PageRequest, toBaseUrl } from '../page.ts'
import { type ClientSetup, toClientSetups } from './client-setup.ts'

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
  if (chosen === undefined) return html`${setups.map(toSetup)}`
  return html`${toSetup(chosen)}<details><summary>Other assistants</summary>
${setups.filter((setup) => setup !== chosen).map(toSetup)}</details>`
}

function toSetup({ name, where, text }: ClientSetup): Html {
  return html`<h3>${name}</h3>
<p class="quiet">${where}</p>
<pre class="paste">${text}</pre>
`
}
