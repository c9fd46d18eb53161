import type { Authorization } from '../../oauth/authorization.ts'
import type { Parameters } from '../../oauth/parameters.ts'
import { withAnswer } from '../../oauth/redirect-uri.ts'
import { toHiddenFields } from '../markup/form.ts'
import { type Html, html } from '../markup/html.ts'
import { toApplicationFacts, toName } from './application.ts'

/** Parameters of the authorization request that the form repeats; they are checked again when it is posted. */
const REPEATED = ['response_type', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method', 'state', 'resource']

/** The same text whatever is wrong with a key. */
const NOT_ACCEPTED = 'This key was not accepted. Check that it is complete, and that it has neither been revoked nor expired.'

/** Why a key was not accepted; `wait` in seconds. */
export type KeyFault = 'key' | { wait: number }

export type KeyForm = { authorization: Authorization; parameters: Parameters; issuer: string; fault?: KeyFault }

/** The form that names the application and takes an API key. */
export function toKeyForm({ authorization, parameters, issuer, fault }: KeyForm): Html {
  const name = toName(authorization.client)
  const host = new URL(issuer).host
  const { redirectUri, state } = authorization
  const repeated = REPEATED.map((field) => [field, parameters[field]]).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const invalid = fault === undefined ? undefined : html` aria-invalid="true" autofocus`
  return html`<h1>${name} wants to connect</h1>
<p>It asks to use the memory of a project on <strong>${host}</strong>. Go on only if you started this in the application yourself.</p>
<dl class="facts">
${toApplicationFacts(authorization)}
</dl>
<form method="post" action="/oauth/authorize">
${toHiddenFields(repeated)}
${fault === undefined ? undefined : html`<p class="alarm" id="fault" role="alert">${toText(fault)}</p>`}
<label for="key">Your API key</label>
<input id="key" name="key" type="password" required autocomplete="current-password" autocapitalize="none" spellcheck="false" aria-describedby="${fault === undefined ? '' : 'fault '}hint"${invalid}>
<p class="quiet" id="hint">It begins with <code>svc_</code> and opens one project. It goes to ${host} only: the application never sees it.</p>
<div class="actions">
<button class="main">Continue</button>
<a class="button" href="${withAnswer(redirectUri, { error: 'access_denied', state, iss: issuer })}">Cancel</a>
</div>
</form>`
}

function toText(fault: KeyFault): string {
  return fault === 'key' ? NOT_ACCEPTED : `Too many attempts. Try again in ${fault.wait} seconds.`
}
