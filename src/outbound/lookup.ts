import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { beforeTimeout } from '../clock.ts'
import { OutboundError } from '../errors.ts'
import { type Allowed, isInNetwork, isNamed, isPublic } from './address.ts'

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
