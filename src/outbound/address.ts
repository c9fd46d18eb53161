import ipaddr from 'ipaddr.js'
import { isInNetworks, type Network, readNetworks } from '../config/networks.ts'
import { Refusal } from '../errors.ts'

/** The hosts and networks outside the public internet that the operator allows the service to call. */
export type Allowed = { hosts: ReadonlySet<string>; networks: Network[] }

/** The block that global unicast IPv6 addresses are assigned from (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** A public address that, in a large cloud, is the platform's metadata service. */
const METADATA_ADDRESS = '168.63.129.16'

/**
 * Parses host names, addresses and networks in CIDR notation. Throws a Refusal that begins with `must` and names a
 * wrong entry.
 */
export function readAllowed(entries: string[]): Allowed {
  const isNetwork = (entry: string) => entry.includes('/') || ipaddr.isValid(entry)
  const hosts = entries.filter((entry) => !isNetwork(entry)).map(readHost)
  return { hosts: new Set(hosts), networks: readNetworks(entries.filter(isNetwork)) }
}

/** A part of a host name, in lower case. */
const HOST_LABEL = /^(?!-)[\w-]{1,63}(?<!-)$/

function readHost(entry: string): string {
  const host = URL.parse(`https://${entry}`)?.host
  if (host === entry.toLowerCase() && host.split('.').every((label) => HOST_LABEL.test(label))) return host
  throw new Refusal(`must hold hosts, addresses and networks such as git.internal or 10.0.0.0/8, not '${entry}'`)
}

/** Whether the operator allowed the host by name. A trailing dot is ignored, as in DNS. */
export function isNamed({ hosts }: Allowed, host: string): boolean {
  return hosts.has(host.replace(/\.$/, ''))
}

/** Whether the address is in a network that the operator allowed. */
export function isInNetwork({ networks }: Allowed, text: string): boolean {
  return isInNetworks(networks, readAddress(text))
}

/**
 * Whether the address is on the public internet: not private, loopback, link-local, shared, multicast, reserved,
 * translated or metadata.
 */
export function isPublic(text: string): boolean {
  const address = readAddress(text)
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST)) return false
  return address.range() === 'unicast' && address.toString() !== METADATA_ADDRESS
}

/**
 * An IPv4-mapped address is read as the IPv4 address in it. IPv6 is normalised first, since the library would read an
 * IPv4-compatible address (`::9.9.9.9`) as mapped, too.
 */
function readAddress(text: string): Network[0] {
  const written = text.includes(':') ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : undefined
  return ipaddr.process(written ?? text)
}
