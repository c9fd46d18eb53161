import { DAY_MS } from '../../clock.ts'
import type { Authorization, Parameters } from '../../oauth/authorization.ts'
import { endOf } from '../../oauth/connection.ts'
import { isLoopbackUri, toHost, withAnswer } from '../../oauth/redirect-uri.ts'
import type { KeyHolder } from '../../store/account.ts'
import type { OAuthClient } from '../../store/oauth.ts'
import { toDescription, toHiddenFields, toNotes } from '../markup/form.ts'
import { countOf } from '../markup/format.ts'
import { type Html, html, type RefusedForm } from '../markup/html.ts'
import { toMessages } from '../markup/shell.ts'
import { toFacts } from '../markup/table.ts'

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export type Consent = { authorization: Authorization; holder: KeyHolder; ticket: string; issuer: string; now: number }

/** The consent form: the application, the project that the key grants access to, and until when. */
export function toConsent({ authorization, holder, ticket, issuer, now }: Consent): Html {
  const { account, project, key, member } = holder
  const name = toName(authorization.client)
  const end = endOf(key, now)
  return html`<h1>Allow ${name} to use this memory?</h1>
<p>On <strong>${new URL(issuer).host}</strong> it could search, save and delete records, as you can with this key.</p>
${toFacts([
  ['Account', account.name],
  ['Project', project.name],
  [
    'Key',
    html`${key.label}<small><code>svc_${key.shown}…</code>${member === null ? ' a service key' : ` of ${member.name}`}</small>`,
  ],
  ['Until', html`${DATE.format(end)}<small>${toDays(end - now)}, or until the key ends</small>`],
  ...toApplicationFacts(authorization),
])}
<form method="post" action="/oauth/authorize">
<input type="hidden" name="ticket" value="${ticket}">
<div class="actions">
<button class="main" name="answer" value="allow">Allow</button>
<button name="answer" value="deny">Deny</button>
</div>
</form>`
}

/** A duration in days, rounded to the nearest, at least 1. */
function toDays(durationMs: number): string {
  return countOf(Math.max(1, Math.round(durationMs / DAY_MS)), 'day')
}

/** Parameters of the authorization request that the form repeats; they are validated again when it is posted. */
const REPEATED = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'state',
  'resource',
]

const PATH = '/oauth/authorize'

/** The same text for every fault of a key. */
const NOT_ACCEPTED =
  'this key was not accepted; check that it is complete, and that it has neither been revoked nor expired'

/** Why a key was not accepted; `wait` in seconds. */
type KeyFault = 'key' | { wait: number }

export type KeyForm = { authorization: Authorization; parameters: Parameters; issuer: string; fault?: KeyFault }

/** The error of the form, at its field if the key is at fault. */
export function toRefusedKey(fault: KeyFault): RefusedForm {
  if (fault === 'key') return { action: PATH, error: NOT_ACCEPTED, field: 'key' }
  return { action: PATH, error: `too many attempts; try again in ${fault.wait} seconds`, field: undefined }
}

/** The form that names the application and takes an API key. */
export function toKeyForm({ authorization, parameters, issuer, fault }: KeyForm): Html {
  const name = toName(authorization.client)
  const host = new URL(issuer).host
  const { redirectUri, state } = authorization
  const repeated = REPEATED.map((field) => [field, parameters[field]]).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const hint = html`It begins with <code>svc_</code> and opens one project. It goes to ${host} only: the application never sees it.`
  return html`<h1>${name} wants to connect</h1>
<p>It asks to use the memory of a project on <strong>${host}</strong>. Go on only if you started this in the application yourself.</p>
${toFacts(toApplicationFacts(authorization))}
<form method="post" action="${PATH}">
${toHiddenFields(repeated)}
${fault && toMessages({ error: toRefusedKey(fault).error })}
<label for="key">Your API key</label>
<input id="key" name="key" type="password" required autocomplete="current-password" autocapitalize="none" spellcheck="false"${toDescription('key', hint)}>
${toNotes('key', hint)}
<div class="actions">
<button class="main">Continue</button>
<a class="button" href="${withAnswer(redirectUri, { error: 'access_denied', state, iss: issuer })}">Cancel</a>
</div>
</form>`
}

export type RefusedConnection = {
  reason: string
  /** The OAuth error code and description, for the developers of the application. */
  code?: string
  /**
   * The redirect URI with the error. It is a link rather than a redirect, because anyone may register an application.
   */
  back?: { host: string; href: string }
}

/** The page for an authorization request that is refused without asking the user. */
export function toRefusedConnection({ reason, code, back }: RefusedConnection): Html {
  return html`<h1>This connection cannot be made</h1>
<p>${reason}</p>
${code === undefined ? undefined : html`<p class="quiet">For the developers of the application: <code>${code}</code></p>`}
${back === undefined ? undefined : html`<div class="actions"><a class="button" href="${back.href}">Return to ${back.host}</a></div>`}`
}

/** The name of an application, which it chose itself. */
function toName({ name }: OAuthClient): Html {
  return html`<bdi>${name === '' ? 'Unnamed application' : name}</bdi>`
}

/** The application and its redirect target, each with a note on its trustworthiness. */
function toApplicationFacts({ client, redirectUri }: Authorization): [string, Html][] {
  return [
    ['Application', html`${toName(client)}<small>${toTrustNote(client)}</small>`],
    ['Returns you to', toRedirectHost(redirectUri)],
  ]
}

function toTrustNote({ kind, id, name }: OAuthClient): string {
  if (kind === 'document') return `described by ${new URL(id).hostname}`
  return name === '' ? 'it gave no name' : 'the name it gives itself, not verified'
}

function toRedirectHost(redirectUri: string): Html {
  const host = toHost(redirectUri)
  if (isLoopbackUri(redirectUri)) return html`${host}<small>a program on this computer</small>`
  return host.endsWith(':') ? html`${host}<small>an app on this device</small>` : html`${host}`
}
