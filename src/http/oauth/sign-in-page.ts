import { html } from '../../console/markup/html.ts'
import type { Authorization } from '../../oauth/authorization.ts'
import type { Parameters } from '../../oauth/parameters.ts'
import { withAnswer } from '../../oauth/redirect-uri.ts'
import { toPage } from '../page.ts'
import { toApplicationFacts, toName } from './application.ts'

/** What the form carries of the request; it is judged anew when it comes back. */
const CARRIED = ['response_type', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method', 'state', 'resource']

/** One wording for whatever is wrong with a key. */
const NOT_ACCEPTED = 'This key was not accepted. Check that it is complete, and that it has neither been revoked nor expired.'

type Asked = { authorization: Authorization; parameters: Parameters; issuer: string; fault?: 'key' | { wait: number } }

/** The page that says who asks and takes the key. */
export function toSignInPage({ authorization, parameters, issuer, fault }: Asked): Response {
  const name = toName(authorization.client)
  const host = new URL(issuer).host
  const { redirectUri, state } = authorization
  const hidden = CARRIED.filter((field) => parameters[field] !== undefined).map(
    (field) => html`<input type="hidden" name="${field}" value="${parameters[field]}">`,
  )
  const invalid = fault === undefined ? undefined : html` aria-invalid="true" autofocus`
  const body = html`<h1>${name} wants to connect</h1>
<p>It asks to use the memory of a project on <strong>${host}</strong>. Go on only if you started this in the application yourself.</p>
<dl class="facts">
${toApplicationFacts(authorization)}
</dl>
<form method="post" action="/oauth/authorize">
${hidden}
${fault === undefined ? undefined : html`<p class="alarm" id="fault" role="alert">${toText(fault)}</p>`}
<label for="key">Your API key</label>
<input id="key" name="key" type="password" required autocomplete="current-password" autocapitalize="none" spellcheck="false" aria-describedby="${fault === undefined ? '' : 'fault '}hint"${invalid}>
<p class="quiet" id="hint">It begins with <code>svc_</code> and opens one project. It goes to ${host} only: the application never sees it.</p>
<div class="actions">
<button class="main">Continue</button>
<a class="button" href="${withAnswer(redirectUri, { error: 'access_denied', state, iss: issuer })}">Cancel</a>
</div>
</form>`
  return toPage({
    ...toAnswer(fault),
    title: `${fault === undefined ? '' : 'Not accepted: '}Connect ${authorization.client.name}`.trim(),
    body,
  })
}

function toText(fault: 'key' | { wait: number }): string {
  return fault === 'key' ? NOT_ACCEPTED : `Too many attempts. Try again in ${fault.wait} seconds.`
}

function toAnswer(fault: Asked['fault']): { status: number; headers?: Record<string, string> } {
  if (fault === undefined) return { status: 200 }
  return fault === 'key' ? { status: 403 } : { status: 429, headers: { 'Retry-After': String(fault.wait) } }
}
