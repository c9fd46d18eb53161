/**
 * Whether a posted form may have come from a page of ours. A browser says which site's page posts; a program that says nothing
 * carries nobody's rights but its own.
 */
export function isOwnForm(issuer: string, headers: Headers): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  return (origin === null || origin === issuer) && (site === null || site === 'same-origin')
}
