import { type Html, html } from '../../console/markup/html.ts'
import { isOnThisMachine, toHost } from '../../oauth/redirect-uri.ts'
import type { OAuthClient } from '../../store/oauth.ts'

type Asking = { client: OAuthClient; redirectUri: string }

/** What an application is called in a sentence. */
export function toName({ name }: OAuthClient): Html {
  return html`<bdi>${name === '' ? 'Unnamed application' : name}</bdi>`
}

/** Who asks, and where the answer goes: what is known, and what is only said. */
export function toApplicationFacts(asking: Asking): Html {
  return html`<div><dt>Application</dt><dd>${toName(asking.client)}<small>${toStanding(asking.client)}</small></dd></div>
<div><dt>Returns you to</dt><dd>${toPlace(asking.redirectUri)}</dd></div>`
}

function toStanding({ kind, id, name }: OAuthClient): string {
  if (kind === 'document') return `described by ${new URL(id).hostname}`
  return name === '' ? 'it gave no name' : 'its own name for itself, not verified'
}

function toPlace(redirectUri: string): Html {
  const host = toHost(redirectUri)
  if (isOnThisMachine(redirectUri)) return html`${host}<small>a program on this computer</small>`
  return host.endsWith(':') ? html`${host}<small>an app on this device</small>` : html`${host}`
}
