import { toConfigurations } from '../configurations.ts'
import { type Html, html } from '../markup/html.ts'

type NewKeyPage = {
  /** The key itself. */
  secret: string
  label: string
  holder: string | undefined
  endpoint: string
  /** The path of the list. */
  at: string
  /** What becomes of the key it replaces. */
  old?: string | undefined
}

/** The only page that shows a key, with what to paste into a client. */
export function toNewKey({ secret, label, holder, endpoint, at, old }: NewKeyPage): Html {
  return html`<h1>Your new key</h1>
<p><bdi>${label}</bdi>, ${holder === undefined ? html`a service key` : html`held by <bdi>${holder}</bdi>`}. Keep it now: it cannot be shown again.</p>
<code class="secret">${secret}</code>
${old && html`<p>${old}</p>`}
<section class="panel"><h2>Connect a client</h2>
<p class="quiet">The endpoint is <code>${endpoint}</code>.</p>
${toConfigurations(endpoint, secret).map(
  ({ client, where, text }) => html`<h3>${client}</h3>
<p class="quiet">${where}</p>
<pre class="paste">${text}</pre>\n`,
)}
</section>
<div class="actions"><a class="button" href="${at}">I have kept it</a></div>`
}
