import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { beforeTimeout } from '../clock.ts'
import { isInNetworks, type Network, readNetworks } from '../config/networks.ts'
import { Refusal } from '../errors.ts'
import { OutboundError } from './outbound-error.ts'

/** The hosts and networks outside the public internet that the operator allows the service to call. */
type Allowed = { hosts: ReadonlySet<string>; networks: Network[] }

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
function isNamed({ hosts }: Allowed, host: string): boolean {
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

/** Resolves a host name to all its addresses. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

const resolveBySystem: Resolve = (host) => lookup(host, { all: true })

/**
 * Throws an OutboundError unless the operator allowed the host, or every address is allowed: one in an allowed network
 * or, over TLS, one of the public internet.
 */
export function requireAllowed(allowed: Allowed, host: string, secure: boolean, addresses: string[]): void {
  if (isNamed(allowed, host)) return
  if (!areAllowed(allowed, secure, addresses)) throw new OutboundError('address')
}

function areAllowed(allowed: Allowed, secure: boolean, addresses: string[]): boolean {
  return addresses.every((address) => isInNetwork(allowed, address) || (secure && isPublic(address)))
}

/** Time after which a name that is only looked at in advance counts as one without addresses. */
const LOOK_TIMEOUT_MS = 2_000

/**
 * Whether requests to this URL may be sent, by the addresses that its host has now. A host that has none, or is not
 * resolved within two seconds, may be called: the request itself finds out.
 */
export async function isCallable(
  allowed: Allowed,
  { protocol, hostname }: URL,
  resolve: Resolve = resolveBySystem,
): Promise<boolean> {
  const host = toHost(hostname)
  const secure = protocol === 'https:'
  if (isNamed(allowed, host)) return true
  if (isIP(host) !== 0) return areAllowed(allowed, secure, [host])
  if (!secure && allowed.networks.length === 0) return false
  return areAllowed(allowed, secure, await findAddresses(host, resolve))
}

/** The addresses of a host; none if it has none, or is not resolved in time. */
async function findAddresses(host: string, resolve: Resolve): Promise<string[]> {
  const found = await beforeTimeout(
    LOOK_TIMEOUT_MS,
    resolve(host).catch(() => []),
  )
  return (found ?? []).map(({ address }) => address)
}

/** The host of a URL as it is resolved: IPv6 addresses without their brackets. */
export const toHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/**
 * The `lookup` of a socket. It connects only to addresses that were checked here, so that a second DNS answer cannot
 * redirect it (DNS rebinding).
 */
export function guardedLookup(allowed: Allowed, secure: boolean, resolve: Resolve = resolveBySystem) {
  return (
    host: string,
    options: { all?: boolean | undefined },
    done: (error: Error | null, found: LookupAddress[] | string, family?: number) => void,
  ) => {
    resolveAllowed(allowed, secure, resolve, host).then(
      ([first, ...rest]) => (options.all ? done(null, [first, ...rest]) : done(null, first.address, first.family)),
      (error) => done(error, []),
    )
  }
}

async function resolveAllowed(
  allowed: Allowed,
  secure: boolean,
  resolve: Resolve,
  host: string,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...rest] = await resolve(host)
  if (first === undefined) throw new OutboundError('unreachable')
  const found: [LookupAddress, ...LookupAddress[]] = [first, ...rest]
  const addresses = found.map(({ address }) => address)
  requireAllowed(allowed, host, secure, addresses)
  return found
}
