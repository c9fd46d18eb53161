const MAX_URI_CHARACTERS = 2048
const PRINTABLE = /^[\x21-\x7e]+$/
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/
/** Apps known by a scheme of one word. Whatever else has one may be a part of the system: `search-ms:` searches, `res:` and `itms-services:` load. */
const KNOWN_APP = /^(cursor|vscode|vscode-insiders):/
/** A scheme that an app derived from a domain name of its makers: at least one dot (RFC 8252, 7.1). Those of Windows begin with `ms-` all the same. */
const REVERSED_DOMAIN = /^(?!ms-)[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+:/

/**
 * Whether an application may be sent back there: https, http on this machine, or a scheme that is an app's own.
 * Never with a fragment or user information.
 */
export function isRedirectUri(text: string): boolean {
  const url = text.length <= MAX_URI_CHARACTERS && PRINTABLE.test(text) ? URL.parse(text) : null
  if (url === null || text.includes('#') || text.includes('\\') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return text.startsWith(`https://${url.host}`)
  if (url.protocol === 'http:') return LOOPBACK.test(text)
  return (KNOWN_APP.test(text) || REVERSED_DOMAIN.test(text)) && /^[^/]*:\/{1,2}[^/]/.test(text)
}

/** Whether the address is one of the registered: to the letter, but for the port on this machine (RFC 8252, 7.3). */
export function isRegistered(registered: string[], given: string): boolean {
  // What was registered under an older rule is held to this one.
  if (!isRedirectUri(given)) return false
  if (registered.includes(given)) return true
  return LOOPBACK.test(given) && registered.some((uri) => LOOPBACK.test(uri) && withoutPort(uri) === withoutPort(given))
}

/** The address with what the authorization server has to say, nothing else of it changed. */
export function withAnswer(redirectUri: string, answer: Record<string, string | null>): string {
  const said = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(said)}`
}

/** Where a redirect leads, as a person should read it: the host, or the app's scheme. */
export function toHost(redirectUri: string): string {
  const url = new URL(redirectUri)
  return /^https?:$/.test(url.protocol) ? url.hostname : url.protocol
}

/** Whether the redirect stays on the person's own machine. */
export function isOnThisMachine(redirectUri: string): boolean {
  return LOOPBACK.test(redirectUri)
}

const withoutPort = (uri: string) => uri.replace(LOOPBACK, 'http://$1')
