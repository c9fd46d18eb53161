import { html } from '../../console/markup/html.ts'
import type { Authorization } from '../../oauth/authorization.ts'
import { endOf } from '../../oauth/connection.ts'
import { isOnThisMachine } from '../../oauth/redirect-uri.ts'
import type { KeyHolder } from '../../store/key.ts'
import { toPage } from '../page.ts'
import { toApplicationFacts, toName } from './application.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

type Consent = { authorization: Authorization; holder: KeyHolder; ticket: string; issuer: string; now: number }

/** The page that says what the key opens, to whom and for how long, and asks to allow it. */
export function toConsentPage({ authorization, holder, ticket, issuer, now }: Consent): Response {
  const { account, project, key, member } = holder
  const name = toName(authorization.client)
  const end = endOf(key, now)
  const body = html`<h1>Allow ${name} to use this memory?</h1>
<p>On <strong>${new URL(issuer).host}</strong> it could search, save and delete records, as you can with this key.</p>
<dl class="facts">
<div><dt>Account</dt><dd>${account.name}</dd></div>
<div><dt>Project</dt><dd>${project.name}</dd></div>
<div><dt>Key</dt><dd>${key.label}<small><code>svc_${key.shown}…</code>${member === null ? ' a service key' : ` of ${member.name}`}</small></dd></div>
<div><dt>Until</dt><dd>${DATE.format(end)}<small>${toDays(end - now)}, or until the key ends</small></dd></div>
${toApplicationFacts(authorization)}
</dl>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="ticket" value="${ticket}">
<div class="actions">
<button class="main" name="answer" value="allow">Allow</button>
<button name="answer" value="deny">Deny</button>
</div>
</form>`
  return toPage({ title: `Allow ${authorization.client.name}`.trim(), body, formsTo: toSources(authorization.redirectUri) })
}

/**
 * Where the answer may lead. Chromium holds the redirect after a form to this list, and every redirect that the application
 * makes after it: hence any https address, and not only the application's first.
 */
function toSources(redirectUri: string): string[] {
  if (!isOnThisMachine(redirectUri)) return [...new Set(['https:', new URL(redirectUri).protocol])]
  // The list has no way to write an IPv6 address.
  return ['https:', redirectUri.startsWith('http://[') ? 'http:' : new URL(redirectUri).origin]
}

function toDays(span: number): string {
  const days = Math.max(1, Math.round(span / DAY_MS))
  return days === 1 ? '1 day' : `${days} days`
}
