import type { Config } from '../config.ts'

/** The names by which a machine reaches only itself, with or without a port. */
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])(:\d+)?$/i

/**
 * True when a browser page of another site may be behind the request: an `Origin` that is not our own, or, on a server bound to
 * loopback, a `Host` that is not a name of this machine (DNS rebinding).
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

/** True when the page that a request tells of as its `Origin` is this service's own: of this very host and port, or of the public address. */
export function isOwnOrigin({ publicUrl }: Pick<Config, 'publicUrl'>, headers: Headers): boolean {
  const origin = headers.get('origin')
  const host = toHost(origin ?? undefined)
  return origin === null || (host !== undefined && [headers.get('host'), toHost(publicUrl)].includes(host))
}

/** True for a host, with or without a port, by which a machine reaches only itself. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

function toHost(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.host
}
