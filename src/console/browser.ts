import Bowser from 'bowser'
import {
  authenticateVisitor,
  BROWSER_LIFETIME_MS,
  rememberBrowser,
  SESSION_LIFETIME_MS,
} from '../account/auth/session.ts'
import type { Config } from '../config.ts'
import { urlOf } from '../http/request.ts'
import type { Service } from '../service.ts'
import type { Done } from './done-messages.ts'
import { redirect } from './response.ts'

const SESSION = 'memsvc_session'
const BROWSER = 'memsvc_browser'

/** The session token in a request's cookies. */
export function readToken(config: Config, request: Request): string | undefined {
  return readCookie(config, request, SESSION)
}

/** The tokens of a known browser, one for each member who recently signed in with it. */
export function readBrowserTokens(config: Config, request: Request): string[] {
  const tokens = readCookie(config, request, BROWSER)?.split('.') ?? []
  return tokens.filter((token) => /^[\w-]{43}$/.test(token))
}

function readCookie(config: Config, request: Request, name: string): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get('cookie') ?? '')
  return (
    cookies.get(nameOf(name, true)) ??
    (isSecure(config, request) ? null : cookies.get(nameOf(name, false))) ??
    undefined
  )
}

/** The `Set-Cookie` header that begins a session: `HttpOnly`, and `SameSite=Lax` against forms of other sites. */
function withToken(config: Config, request: Request, token: string): string {
  return toHeader(config, request, SESSION, token, SESSION_LIFETIME_MS)
}

/** The `Set-Cookie` header that removes the session token. */
export function withoutToken(config: Config, request: Request): string {
  return toHeader(config, request, SESSION, '', 0)
}

/** The `Set-Cookie` header that keeps the tokens of a known browser. */
function withBrowserTokens(config: Config, request: Request, tokens: string[]): string {
  return toHeader(config, request, BROWSER, tokens.join('.'), BROWSER_LIFETIME_MS)
}

const PUT_AWAY = 'memsvc_checklist'

/** Whether the first steps of an account were put away in this browser. */
export const isPutAway = (config: Config, request: Request): boolean =>
  readCookie(config, request, PUT_AWAY) !== undefined

/** The `Set-Cookie` header that puts the first steps of an account away. */
export const withPutAway = (config: Config, request: Request): string =>
  toHeader(config, request, PUT_AWAY, 'away', BROWSER_LIFETIME_MS)

const PROJECT = 'memsvc_project'

/** The id of the project that was last opened in this browser. */
export const readLastProject = (config: Config, request: Request): string | undefined =>
  readCookie(config, request, PROJECT)

/** The `Set-Cookie` header that keeps the project for the menu of pages of the account. */
export const withLastProject = (config: Config, request: Request, id: string): string =>
  toHeader(config, request, PROJECT, id, SESSION_LIFETIME_MS)

/** A `Set-Cookie` header; with a lifetime of 0 it removes the cookie. */
function toHeader(config: Config, request: Request, name: string, value: string, lifetimeMs: number): string {
  const secure = isSecure(config, request)
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: lifetimeMs / 1000 } as const
  return new Bun.Cookie({ name: nameOf(name, secure), value, ...attributes }).toString()
}

/**
 * Under https, the prefix `__Host-`, so that other hosts of the domain cannot set the cookie (RFC 6265bis, 4.1.3.2).
 */
function nameOf(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

/**
 * Whether the browser uses https, possibly to a proxy: by the scheme of the request, of its `Origin`, or of the public
 * URL if its host matches.
 */
function isSecure({ publicUrl }: Config, request: Request): boolean {
  const url = urlOf(request)
  if (url.protocol === 'https:' || request.headers.get('origin')?.startsWith('https:')) return true
  return publicUrl?.startsWith('https:') === true && new URL(publicUrl).host === request.headers.get('host')
}

/** Longer ones are truncated: browser and system come first. */
const MAX_USER_AGENT_CHARACTERS = 512
/** Names come from the client, so they are bounded. */
const MAX_NAME_CHARACTERS = 60

/**
 * The browser and the system of a request, such as `Firefox on Windows`, by which people recognize their sessions; null
 * if unknown.
 */
export function toDevice({ headers }: Request): string | null {
  const text = headers.get('user-agent')?.slice(0, MAX_USER_AGENT_CHARACTERS)
  if (!text) return null
  const { browser, os } = Bowser.parse(text)
  const names = [browser.name, os.name]
    .filter((name) => name !== undefined && name !== '')
    .map((name) => String(name).slice(0, MAX_NAME_CHARACTERS))
  return names.length === 0 ? null : names.join(' on ')
}

/** Redirects with the cookies of a new session, and of a known browser of the member. */
export async function startBrowserSession(
  service: Service,
  request: Request,
  session: string,
  to: string,
  done?: Done,
): Promise<Response> {
  const response = redirect(to, done, { headers: { 'Set-Cookie': withToken(service.config, request, session) } })
  const visitor = await authenticateVisitor(service, session)
  if (visitor === undefined) return response
  const tokens = await rememberBrowser(service, visitor.member, readBrowserTokens(service.config, request))
  response.headers.append('Set-Cookie', withBrowserTokens(service.config, request, tokens))
  return response
}
