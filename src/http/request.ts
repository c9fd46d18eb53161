import type { Server } from 'bun'
import { Elysia } from 'elysia'
import ipaddr from 'ipaddr.js'
import { isAddress, isInNetworks, type Network } from '../config/networks.ts'
import type { Config } from '../config.ts'
import { isLoopback } from '../loopback.ts'

/** Replaces a missing host (HTTP/1.0). RFC 6761 reserves the name. */
const NO_HOST = 'http://host.invalid'

/** Whether the request has a valid `Host`, or none, as in HTTP/1.0. */
function hasUsableHost({ url, headers }: Request): boolean {
  return URL.canParse(url) || headers.get('host') === null
}

/** The URL of a request. Never throws: without a valid host, `host.invalid` takes its place. */
export function urlOf({ url }: Pick<Request, 'url'>): URL {
  return URL.parse(url) ?? URL.parse(`${NO_HOST}${url.startsWith('/') ? url : '/'}`) ?? new URL(NO_HOST)
}

/** Answers 400 to a request with an invalid `Host`, before any route. */
export const invalidHost = new Elysia({ name: 'invalid-host' }).onRequest(({ request }) => {
  if (!hasUsableHost(request)) return Response.json({ error: 'the Host header is not valid' }, { status: 400 })
})

/**
 * Whether a page of another site may have sent the request: the `Origin` is not this service's, or the server is bound
 * to loopback and the `Host` is neither a loopback name nor the name in the public URL (DNS rebinding).
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
 * Whether a posted form comes from a page of this service (protection against CSRF): the browser reports the same site,
 * and no `Origin` other than this host and port or the public URL. With `issuer`, only that origin is accepted. A
 * client that sends neither header passes: it is not a browser, so it has no cookie that another site could use.
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

/** Maximum number of entries of `X-Forwarded-For` that are examined. */
const MAX_PROXIES = 16

/**
 * The client's IP address, for rate limits and the audit log: the address of the connection or, if that is a trusted
 * proxy of the operator, the client in `X-Forwarded-For`. An IPv6 address is reduced to its /64 network, since one
 * client may use all of it. `unknown` if the connection has none.
 */
export function clientIpOf(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  request: Request,
  server: Pick<Server<unknown>, 'requestIP'> | null,
): string {
  const peer = server?.requestIP(request)?.address ?? 'unknown'
  if (!isAddress(peer)) return peer
  const isForwarded = trustedProxies.length > 0 && isTrustedProxy(trustedProxies, peer)
  return toNetwork(isForwarded ? findClient(trustedProxies, request.headers.get('x-forwarded-for') ?? '', peer) : peer)
}

/**
 * Reads `X-Forwarded-For` from the right, because each proxy appends the address that called it: an entry is trusted as
 * long as all entries to its right are trusted proxies. The first one that is not a trusted proxy is the client;
 * everything to its left may be forged.
 */
function findClient(trustedProxies: Network[], forwardedFor: string, peer: string): string {
  let client = peer
  for (const entry of forwardedFor.split(',').slice(-MAX_PROXIES).reverse()) {
    const address = withoutPort(entry.trim())
    if (!isAddress(address)) return client
    client = address
    if (!isTrustedProxy(trustedProxies, address)) return client
  }
  return client
}

const isTrustedProxy = (trustedProxies: Network[], text: string) => isInNetworks(trustedProxies, ipaddr.process(text))

/** Removes a port, which some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return entry.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
}

function toNetwork(text: string): string {
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`
}
