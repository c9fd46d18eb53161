import type { Server } from 'bun'
import ipaddr from 'ipaddr.js'
import { type Config, isAddress, type Network } from '../config.ts'

/** Proxies that may stand behind each other. */
const MAX_PROXIES = 16

/**
 * Where a request comes from, for throttles and the audit log: the peer, or what `X-Forwarded-For` says where the peer is one of the
 * operator's proxies. Of an IPv6 address the network (/64), since its user has all of that.
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
 * Each proxy appends the address it was called from, so the last entry is known to be true, and one before it only where that is a
 * proxy of the operator's too. Whatever stands further left was said by somebody unknown.
 */
function findClient(trustedProxies: Network[], said: string, peer: string): string {
  let client = peer
  for (const entry of said.split(',').slice(-MAX_PROXIES).reverse()) {
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

/** Some proxies write the port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return entry.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
}

function toNetwork(text: string): string {
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`
}
