import ipaddr from 'ipaddr.js'
import { Refusal } from '../errors.ts'

/** What the operator lets the service call although it is not on the public internet. */
export type Allowed = { hosts: ReadonlySet<string>; networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] }

/** Where public IPv6 addresses lie; everything else is of some other use, or of none yet. */
const GLOBAL = ipaddr.parseCIDR('2000::/3')

/** Public by its number, but answered by the machine's own host: the platform agent of a large cloud. */
const METADATA = '168.63.129.16'

/** Reads host names, addresses and networks in CIDR form. Throws a Refusal that names the entry. */
export function readAllowed(entries: string[]): Allowed {
  const networks = entries.filter((entry) => entry.includes('/') || ipaddr.isValid(entry)).map(readNetwork)
  const hosts = entries.filter((entry) => !entry.includes('/') && !ipaddr.isValid(entry)).map(readHost)
  return { hosts: new Set(hosts), networks }
}

function readNetwork(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (!ipaddr.isValid(entry)) throw new Refusal(`SVC_OUTBOUND_ALLOW: '${entry}' is not a network`)
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function readHost(entry: string): string {
  const host = URL.parse(`https://${entry}`)?.host
  if (host !== entry.toLowerCase() || !/^[\w.-]+$/.test(host)) throw new Refusal(`SVC_OUTBOUND_ALLOW: '${entry}' is not a host name`)
  return host
}

/** Whether the operator named the host itself. A trailing dot makes no other host. */
export function isNamed({ hosts }: Allowed, host: string): boolean {
  return hosts.has(host.replace(/\.$/, ''))
}

/** Whether the operator named a network of this address. */
export function isInNetwork({ networks }: Allowed, text: string): boolean {
  const address = readAddress(text)
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

/** Whether the address is one of the public internet: not private, loopback, link-local, shared, multicast, reserved, translated or metadata. */
export function isPublic(text: string): boolean {
  const address = readAddress(text)
  if (address.kind() === 'ipv6' && !address.match(GLOBAL)) return false
  return address.range() === 'unicast' && address.toString() !== METADATA
}

/** An IPv4-mapped address is the IPv4 address in it. The library would take an IPv4-compatible one (`::9.9.9.9`) for that too, if it were written so. */
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const written = text.includes(':') ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : undefined
  return ipaddr.process(written ?? text)
}
