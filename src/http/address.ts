import type { Server } from 'bun'
import ipaddr from 'ipaddr.js'
import { isPublic } from '../outbound/address.ts'

/**
 * Where a request comes from, for throttles and the audit log. What a proxy says is believed only from a private address: the
 * last entry, which is the proxy's own. Of an IPv6 address the network (/64), since its user has all of that.
 */
export function addressOf(request: Request, server: Pick<Server<unknown>, 'requestIP'> | null): string {
  const peer = server?.requestIP(request)?.address ?? 'unknown'
  const said = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
  const address = ipaddr.isValid(peer) && !isPublic(peer) && ipaddr.isValid(said) ? said : peer
  return ipaddr.isValid(address) ? toNetwork(address) : address
}

function toNetwork(text: string): string {
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`
}
