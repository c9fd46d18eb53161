const LONGEST = 2048
const PRINTABLE = /^[\x21-\x7e]+$/
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/
/** What a browser handles itself, or hands to a program with more than a message in it. */
const NOT_AN_APP =
  /^(https?|wss?|ftp|file|filesystem|data|blob|javascript|vbscript|about|view-source|mailto|tel|sms|intent|jar|chrome.*|ms-.*):/i

/**
 * Whether an application may be sent back there: https, http on this machine, or a scheme that an app registered for itself.
 * Never with a fragment or user information.
 */
export function isRedirectUri(text: string): boolean {
  const url = text.length <= LONGEST && PRINTABLE.test(text) ? URL.parse(text) : null
  if (url === null || text.includes('#') || text.includes('\\') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return text.startsWith(`https://${url.host}`)
  if (url.protocol === 'http:') return LOOPBACK.test(text)
  return /^[a-z][a-z0-9+.-]*:\/{1,2}[^/]/.test(text) && !NOT_AN_APP.test(text)
}

/** Whether the address is one of the registered: to the letter, but for the port on this machine (RFC 8252, 7.3). */
export function isRegistered(registered: string[], given: string): boolean {
  if (registered.includes(given)) return true
  return (
    LOOPBACK.test(given) && isRedirectUri(given) && registered.some((uri) => LOOPBACK.test(uri) && withoutPort(uri) === withoutPort(given))
  )
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
