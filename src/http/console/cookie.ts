import { BROWSER_LIFETIME_MS } from '../../account/auth/known-browser.ts'
import { SESSION_LIFETIME_MS } from '../../account/auth/session.ts'
import type { Config } from '../../config.ts'
import { urlOf } from '../request-url.ts'

const SESSION = 'memsvc_session'
const BROWSER = 'memsvc_browser'

/** The token in a browser's cookie. */
export function readToken(config: Pick<Config, 'publicUrl'>, request: Request): string | undefined {
  return readCookie(config, request, SESSION)
}

/** The tokens by which a browser is known to members who signed in with it before. */
export function readBrowserTokens(config: Pick<Config, 'publicUrl'>, request: Request): string[] {
  const tokens = readCookie(config, request, BROWSER)?.split('.') ?? []
  return tokens.filter((token) => /^[\w-]{43}$/.test(token))
}

function readCookie(config: Pick<Config, 'publicUrl'>, request: Request, name: string): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get('cookie') ?? '')
  return cookies.get(nameOf(name, true)) ?? (isSecure(config, request) ? null : cookies.get(nameOf(name, false))) ?? undefined
}

/** The header that gives a browser its token. No script reads it, and no other site's page sends it with a form. */
export function withToken(config: Pick<Config, 'publicUrl'>, request: Request, token: string): string {
  return toHeader(config, request, { name: SESSION, value: token, maxAge: SESSION_LIFETIME_MS / 1000 })
}

/** The header that takes it away. */
export function withoutToken(config: Pick<Config, 'publicUrl'>, request: Request): string {
  return toHeader(config, request, { name: SESSION, value: '', maxAge: 0 })
}

/** The header that lets a browser be known again. */
export function withBrowserTokens(config: Pick<Config, 'publicUrl'>, request: Request, tokens: string[]): string {
  return toHeader(config, request, { name: BROWSER, value: tokens.join('.'), maxAge: BROWSER_LIFETIME_MS / 1000 })
}

type Kept = { name: string; value: string /** In seconds. */; maxAge: number }

function toHeader(config: Pick<Config, 'publicUrl'>, request: Request, { name, value, maxAge }: Kept): string {
  const secure = isSecure(config, request)
  return new Bun.Cookie({ name: nameOf(name, secure), value, path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge }).toString()
}

/** Under https the name itself keeps other hosts from setting the cookie (RFC 6265bis, 4.1.3.2). */
function nameOf(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

/** Whether the browser speaks https, to us or to a proxy: of a form it says so itself, otherwise the host is the public address's. */
function isSecure({ publicUrl }: Pick<Config, 'publicUrl'>, request: Request): boolean {
  const url = urlOf(request)
  if (url.protocol === 'https:' || request.headers.get('origin')?.startsWith('https:')) return true
  return publicUrl?.startsWith('https:') === true && new URL(publicUrl).host === request.headers.get('host')
}
