import type { Authorization } from '../../oauth/authorization.ts'
import type { Parameters } from '../../oauth/parameters.ts'
import { withAnswer } from '../../oauth/redirect-uri.ts'
import { toDescription, toHiddenFields, toNotes } from '../markup/form.ts'
import { type Html, html, type RefusedForm } from '../markup/html.ts'
import { toMessages } from '../markup/shell.ts'
import { toApplicationFacts, toName } from './application.ts'

/** Parameters of the authorization request that the form repeats; they are validated again when it is posted. */
const REPEATED = ['response_type', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method', 'state', 'resource']

const PATH = '/oauth/authorize'

/** The same text for every fault of a key. */
const NOT_ACCEPTED = 'this key was not accepted; check that it is complete, and that it has neither been revoked nor expired'

/** Why a key was not accepted; `wait` in seconds. */
export type KeyFault = 'key' | { wait: number }

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
  const repeated = REPEATED.map((field) => [field, parameters[field]]).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const hint = html`It begins with <code>svc_</code> and opens one project. It goes to ${host} only: the application never sees it.`
  return html`<h1>${name} wants to connect</h1>
<p>It asks to use the memory of a project on <strong>${host}</strong>. Go on only if you started this in the application yourself.</p>
<dl class="facts">
${toApplicationFacts(authorization)}
</dl>
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
