import { type Html, html } from '../markup/html.ts'

export type RefusedConnection = {
  reason: string
  /** The OAuth error code and description, for the developers of the application. */
  code?: string
  /** The redirect URI with the error. It is a link rather than a redirect, because anyone may register an application. */
  back?: { host: string; href: string }
}

/** The page for an authorization request that is refused without asking the user. */
export function toRefusedConnection({ reason, code, back }: RefusedConnection): Html {
  return html`<h1>This connection cannot be made</h1>
<p>${reason}</p>
${code === undefined ? undefined : html`<p class="quiet">For the makers of the application: <code>${code}</code></p>`}
${back === undefined ? undefined : html`<div class="actions"><a class="button" href="${back.href}">Return to ${back.host}</a></div>`}`
}
