import type { Server } from 'bun'
import ipaddr from 'ipaddr.js'
import { isAddress, type Network } from '../config/networks.ts'
import type { Config } from '../config.ts'

/** Maximum number of entries of `X-Forwarded-For` that are examined. */
const MAX_PROXIES = 16

/**
 * The client's IP address, for rate limits and the audit log: the address of the connection or, if that is a trusted proxy of the operator, the client in
 * `X-Forwarded-For`. An IPv6 address is reduced to its /64 network, since one client may use all of it. `unknown` if the connection has none.
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
 * Reads `X-Forwarded-For` from the right, because each proxy appends the address that called it: an entry is trusted as long as all entries to its right are
 * trusted proxies. The first one that is not a trusted proxy is the client; everything to its left may be forged.
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

function isTrustedProxy(trustedProxies: Network[], text: string): boolean {
  const address = ipaddr.process(text)
  return trustedProxies.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

/** Removes a port, which some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return entry.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
}

function toNetwork(text: string): string {
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`
}
