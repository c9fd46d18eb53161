import type { Config } from '../config.ts'
import { isLoopback } from '../loopback.ts'

/**
 * Whether a page of another site may have sent the request: the `Origin` is not this service's, or the server is bound to loopback and the `Host` is neither
 * a loopback name nor that of the public URL (DNS rebinding).
 */
export function isForeign(config: Config, headers: Headers): boolean {
  const host = headers.get('host')
  const origin = headers.get('origin')
  const local = isLoopback(config.host)
  if (local && host !== null && !isLoopback(host) && host !== toHost(config.publicUrl)) return true
  if (origin === null) return false
  const originHost = toHost(origin)
  if (originHost === undefined) return true
  return originHost !== host && originHost !== toHost(config.publicUrl) && !(local && isLoopback(originHost))
}

/**
 * Whether a posted form comes from a page of this service (protection against CSRF): the browser reports the same site, and no `Origin` other than this host
 * and port or the public URL. With `issuer`, only that origin is accepted. A client that sends neither header passes: it is not a browser, so it has no
 * cookie that another site could use.
 */
export function isOwnForm(config: Config, headers: Headers, issuer?: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (isForeign(config, headers) || (site !== null && site !== 'same-origin')) return false
  const origin = headers.get('origin')
  if (origin === null || issuer !== undefined) return origin === null || origin === issuer
  const host = toHost(origin)
  return host !== undefined && (host === headers.get('host') || host === toHost(config.publicUrl))
}

function toHost(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.host
}
