import { toExactTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'

type NewLinkPage = {
  heading: string
  email: string
  link: string
  /** Milliseconds since 1970. */
  expiresAt: number
  /** The path of the link to continue. */
  at: string
}

/** Shows an invitation or sign-in link, the only time that it can be shown. */
export function toNewLink({ heading, email, link, expiresAt, at }: NewLinkPage): Html {
  return html`<h1>${heading}</h1>
<p>Send it to <bdi>${email}</bdi>. It works once, until ${toExactTime(expiresAt)}, for whoever has it. It cannot be shown again.</p>
<code class="secret">${link}</code>
<div class="actions"><a class="button" href="${at}">I have copied it</a></div>`
}
