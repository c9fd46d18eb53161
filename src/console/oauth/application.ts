import { isLoopbackUri, toHost } from '../../oauth/redirect-uri.ts'
import type { OAuthClient } from '../../store/oauth.ts'
import { type Html, html } from '../markup/html.ts'

type Asking = { client: OAuthClient; redirectUri: string }

/** The name of an application, which it chose itself. */
export function toName({ name }: OAuthClient): Html {
  return html`<bdi>${name === '' ? 'Unnamed application' : name}</bdi>`
}

/** The application and its redirect target, each with a note on its trustworthiness. */
export function toApplicationFacts(asking: Asking): Html {
  return html`<div><dt>Application</dt><dd>${toName(asking.client)}<small>${toTrustNote(asking.client)}</small></dd></div>
<div><dt>Returns you to</dt><dd>${toRedirectHost(asking.redirectUri)}</dd></div>`
}

function toTrustNote({ kind, id, name }: OAuthClient): string {
  if (kind === 'document') return `described by ${new URL(id).hostname}`
  return name === '' ? 'it gave no name' : 'its own name for itself, not verified'
}

function toRedirectHost(redirectUri: string): Html {
  const host = toHost(redirectUri)
  if (isLoopbackUri(redirectUri)) return html`${host}<small>a program on this computer</small>`
  return host.endsWith(':') ? html`${host}<small>an app on this device</small>` : html`${host}`
}
