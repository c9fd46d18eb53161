const MAX_URI_CHARACTERS = 2048
const PRINTABLE = /^[\x21-\x7e]+$/
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/
/**
 * Schemes of one word that belong to known apps. Other such schemes may be the system's: `search-ms:` searches, `res:`
 * and `itms-services:` load.
 */
const KNOWN_APP = /^(cursor|vscode|vscode-insiders):/
/**
 * Schemes that an app's makers derived from their domain name (RFC 8252, 7.1): they begin with a top-level domain, of a
 * country or a common one. Others with a dot may be derived from a scheme of the system or the browser, as
 * `ms-word.ofe`, `intent.x` and `chrome-extension.x` are.
 */
const REVERSED_DOMAIN =
  /^([a-z]{2}|com|org|net|edu|gov|info|biz|app|dev|cloud|software|systems|tools|tech|agency|studio|team|work|chat|xyz)(\.[a-z0-9][a-z0-9-]*)+:/

/**
 * Whether an application may register this redirect URI: https, http on the person's own machine, or an app's own
 * scheme; no fragment, no user information.
 */
export function isRedirectUri(text: string): boolean {
  const url = text.length <= MAX_URI_CHARACTERS && PRINTABLE.test(text) ? URL.parse(text) : null
  if (url === null || text.includes('#') || text.includes('\\') || url.username !== '' || url.password !== '')
    return false
  if (url.protocol === 'https:') return text.startsWith(`https://${url.host}`)
  if (url.protocol === 'http:') return LOOPBACK.test(text)
  return (KNOWN_APP.test(text) || REVERSED_DOMAIN.test(text)) && /^[^/]*:\/{1,2}[^/]/.test(text)
}

/** Whether a redirect URI is one of those registered: equal, except for the port of a loopback one (RFC 8252, 7.3). */
export function isRegistered(registered: string[], given: string): boolean {
  // The rules may have become stricter since it was registered.
  if (!isRedirectUri(given)) return false
  if (registered.includes(given)) return true
  return LOOPBACK.test(given) && registered.some((uri) => LOOPBACK.test(uri) && withoutPort(uri) === withoutPort(given))
}

/** A redirect URI with the parameters of a response added; those that are null are left out. */
export function withAnswer(redirectUri: string, answer: Record<string, string | null>): string {
  const sent = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(sent)}`
}

/** Where a redirect URI leads, for a person to read: the host, or an app's scheme with its colon. */
export function toHost(redirectUri: string): string {
  const url = new URL(redirectUri)
  return /^https?:$/.test(url.protocol) ? url.hostname : url.protocol
}

/** Whether a redirect URI leads to a program on the person's own machine. */
export function isLoopbackUri(redirectUri: string): boolean {
  return LOOPBACK.test(redirectUri)
}

const withoutPort = (uri: string) => uri.replace(LOOPBACK, 'http://$1')
