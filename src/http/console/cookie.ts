import { SESSION_LIFETIME } from '../../account/session.ts'
import type { Config } from '../../config.ts'
import { urlOf } from '../request-url.ts'

const NAME = 'memsvc_session'

/** The token in a browser's cookie. */
export function readToken(config: Pick<Config, 'publicUrl'>, request: Request): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get('cookie') ?? '')
  return cookies.get(nameOf(true)) ?? (isSecure(config, request) ? null : cookies.get(nameOf(false))) ?? undefined
}

/** The header that gives a browser its token. No script reads it, and no other site's page sends it with a form. */
export function withToken(config: Pick<Config, 'publicUrl'>, request: Request, token: string): string {
  return toHeader(config, request, token, SESSION_LIFETIME / 1000)
}

/** The header that takes it away. */
export function withoutToken(config: Pick<Config, 'publicUrl'>, request: Request): string {
  return toHeader(config, request, '', 0)
}

function toHeader(config: Pick<Config, 'publicUrl'>, request: Request, value: string, maxAge: number): string {
  const secure = isSecure(config, request)
  return new Bun.Cookie({ name: nameOf(secure), value, path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge }).toString()
}

/** Under https the name itself keeps other hosts from setting the cookie (RFC 6265bis, 4.1.3.2). */
function nameOf(secure: boolean): string {
  return secure ? `__Host-${NAME}` : NAME
}

/** Whether the browser speaks https, to us or to a proxy: of a form it says so itself, otherwise the host is the public address's. */
function isSecure({ publicUrl }: Pick<Config, 'publicUrl'>, request: Request): boolean {
  const url = urlOf(request)
  if (url.protocol === 'https:' || request.headers.get('origin')?.startsWith('https:')) return true
  return publicUrl?.startsWith('https:') === true && new URL(publicUrl).host === request.headers.get('host')
}
