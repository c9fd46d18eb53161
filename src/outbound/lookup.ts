import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { OutboundError } from '../errors.ts'
import { type Allowed, isInNetwork, isNamed, isPublic } from './address.ts'

export type Resolve = (host: string) => Promise<LookupAddress[]>

const resolveBySystem: Resolve = (host) => lookup(host, { all: true })

/** Throws an OutboundError unless every address may be called: one the operator named, or, over TLS, one of the public internet. */
export function requireAllowed(allowed: Allowed, host: string, secure: boolean, addresses: string[]): void {
  if (isNamed(allowed, host)) return
  const all = addresses.every((address) => isInNetwork(allowed, address) || (secure && isPublic(address)))
  if (!all) throw new OutboundError('address')
}

/** What a socket asks for addresses: it connects to what was checked here and asks nobody again. */
export function guardedLookup(allowed: Allowed, secure: boolean, resolve: Resolve = resolveBySystem) {
  return (
    host: string,
    options: { all?: boolean | undefined },
    done: (error: Error | null, found: LookupAddress[] | string, family?: number) => void,
  ) => {
    find(allowed, secure, resolve, host).then(
      ([first, ...rest]) => (options.all ? done(null, [first, ...rest]) : done(null, first.address, first.family)),
      (error) => done(error, []),
    )
  }
}

async function find(allowed: Allowed, secure: boolean, resolve: Resolve, host: string): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...rest] = await resolve(host)
  if (first === undefined) throw new OutboundError('unreachable')
  const found: [LookupAddress, ...LookupAddress[]] = [first, ...rest]
  requireAllowed(
    allowed,
    host,
    secure,
    found.map(({ address }) => address),
  )
  return found
}
