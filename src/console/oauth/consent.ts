import { DAY_MS } from '../../clock.ts'
import type { Authorization } from '../../oauth/authorization.ts'
import { endOf } from '../../oauth/connection.ts'
import type { KeyHolder } from '../../store/key.ts'
import { countOf } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toApplicationFacts, toName } from './application.ts'

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export type Consent = { authorization: Authorization; holder: KeyHolder; ticket: string; issuer: string; now: number }

/** The consent form: the application, the project that the key grants access to, and until when. */
export function toConsent({ authorization, holder, ticket, issuer, now }: Consent): Html {
  const { account, project, key, member } = holder
  const name = toName(authorization.client)
  const end = endOf(key, now)
  return html`<h1>Allow ${name} to use this memory?</h1>
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
}

/** A duration in days, rounded to the nearest, at least 1. */
function toDays(durationMs: number): string {
  return countOf(Math.max(1, Math.round(durationMs / DAY_MS)), 'day')
}
