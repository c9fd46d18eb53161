import { type Consent, toConsent } from '../../console/oauth/consent.ts'
import { type KeyFault, type KeyForm, toKeyForm, toRefusedKey } from '../../console/oauth/key-form.ts'
import { type RefusedConnection, toRefusedConnection } from '../../console/oauth/refused.ts'
import { isLoopbackUri } from '../../oauth/redirect-uri.ts'
import { toPage } from '../page.ts'

/** The page that takes an API key: 200, or 403 and 429 where a key was not accepted. */
export function toKeyPage(form: KeyForm): Response {
  const { fault, authorization } = form
  const title = `Connect ${authorization.client.name}`.trim()
  return toPage({ ...toStatus(fault), title, body: toKeyForm(form), refused: fault && toRefusedKey(fault) })
}

function toStatus(fault: KeyFault | undefined): { status: number; headers?: Record<string, string> } {
  if (fault === undefined) return { status: 200 }
  return fault === 'key' ? { status: 403 } : { status: 429, headers: { 'Retry-After': String(fault.wait) } }
}

/** The page that asks for consent. */
export function toConsentPage(consent: Consent): Response {
  const { client, redirectUri } = consent.authorization
  return toPage({ title: `Allow ${client.name}`.trim(), body: toConsent(consent), formsTo: toSources(redirectUri) })
}

/**
 * Sources of the content security policy for the consent page. Chromium applies them to the redirect after the form and to every further redirect of the
 * application, hence any https URL and not only the redirect URI.
 */
function toSources(redirectUri: string): string[] {
  if (!isLoopbackUri(redirectUri)) return [...new Set(['https:', new URL(redirectUri).protocol])]
  // A source cannot contain an IPv6 address.
  return ['https:', redirectUri.startsWith('http://[') ? 'http:' : new URL(redirectUri).origin]
}

type RefusedPage = RefusedConnection & { status: number; headers?: Record<string, string> }

/** The page that ends an authorization request. */
export function toRefusedPage({ status, headers, ...refused }: RefusedPage): Response {
  return toPage({ status, title: 'Cannot connect', body: toRefusedConnection(refused), ...(headers && { headers }) })
}
