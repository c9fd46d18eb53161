import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { OutboundError } from '../errors.ts'
import { type Allowed, isInNetwork, isNamed, isPublic } from './address.ts'

/** Resolves a host name to all its addresses. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

const resolveBySystem: Resolve = (host) => lookup(host, { all: true })

/**
 * Throws an OutboundError unless the operator allowed the host, or every address is allowed: one in an allowed network or, over TLS, one of the public
 * internet.
 */
export function requireAllowed(allowed: Allowed, host: string, secure: boolean, addresses: string[]): void {
  if (isNamed(allowed, host)) return
  const areAllowed = addresses.every((address) => isInNetwork(allowed, address) || (secure && isPublic(address)))
  if (!areAllowed) throw new OutboundError('address')
}

/** The `lookup` of a socket. It connects only to addresses that were checked here, so that a second DNS answer cannot redirect it (DNS rebinding). */
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
