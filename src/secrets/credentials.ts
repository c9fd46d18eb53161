import { type Credential, findFormed } from './credential-forms.ts'
import { findVendorTokens } from './vendor-credentials.ts'

/** The credentials of known form in a text: this service's keys, private keys, `Authorization` headers, URLs with passwords, and tokens of known vendors. */
export async function findCredentials(text: string): Promise<Credential[]> {
  return [...findFormed(text), ...(await findVendorTokens(text))]
}

const MASK = '***'

/** The text with `***` in place of every credential. */
export async function maskCredentials(text: string): Promise<string> {
  // In this order, since of a URL only what stands before its host is masked, and then no vendor's form is left in it.
  const masked = withMasks(text, findFormed(text))
  return withMasks(masked, await findVendorTokens(masked))
}

function withMasks(text: string, credentials: Credential[]): string {
  let masked = ''
  let at = 0
  for (const { start, end } of credentials.toSorted((a, b) => a.start - b.start)) {
    if (start >= at) masked += text.slice(at, start) + MASK
    at = Math.max(at, end)
  }
  return masked + text.slice(at)
}
