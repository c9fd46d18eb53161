import { type Html, html } from '../markup/html.ts'
import { type ClientSetup, toClientSetups } from './client-setup.ts'

type NewKeyPage = {
  /** The key itself. */
  secret: string
  label: string
  /** The name of the member who holds it; undefined for a service key. */
  holder: string | undefined
  /** The URL of the MCP endpoint. */
  endpoint: string
  /** The client that the key is for, if known. */
  clientId?: string | undefined
  /** The path of the list of keys. */
  at: string
  /** What happens to the key that this one replaces. */
  old?: string | undefined
}

/** Shows a key, the only time that it is shown, with the configuration of MCP clients. */
export function toNewKey(page: NewKeyPage): Html {
  const { secret, label, holder, endpoint, at, old } = page
  return html`<h1>Your new key</h1>
<p><bdi>${label}</bdi>, ${holder === undefined ? html`a service key` : html`held by <bdi>${holder}</bdi>`}. Keep it now: it cannot be shown again.</p>
<code class="secret">${secret}</code>
${old && html`<p>${old}</p>`}
<section class="panel"><h2>Connect an assistant</h2>
<p class="quiet">The endpoint is <code>${endpoint}</code>.</p>
${toSetups(page)}
</section>
<div class="actions"><a class="button" href="${at}">I have kept it</a></div>`
}

/** The configuration of the chosen client, with the others folded; of all, if none was chosen or it has none. */
function toSetups({ endpoint, secret, clientId }: NewKeyPage): Html {
  const setups = toClientSetups(endpoint, secret)
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
