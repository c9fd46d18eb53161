import type { LookupAddress } from 'node:dns'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { isLoopback } from '../loopback.ts'
import { isPublic, toHost } from '../outbound/address.ts'
import { urlOf } from './request.ts'

const OFF = 'hosted assistants cannot connect by OAuth'

/**
 * The OAuth issuer: the origin of the public URL or, without one, of a request on loopback. Undefined if neither can be
 * an issuer; then OAuth is off.
 */
export function findIssuer({ publicUrl }: Pick<Config, 'publicUrl'>, request: Request): string | undefined {
  if (publicUrl !== undefined) return findFault(publicUrl) === undefined ? new URL(publicUrl).origin : undefined
  const url = urlOf(request)
  return isLoopback(url.host) ? url.origin : undefined
}

/** The OAuth issuer. Throws a Refusal with advice for the operator if there is none. */
export function requireIssuer(config: Pick<Config, 'publicUrl'>, request: Request): string {
  const issuer = findIssuer(config, request)
  if (issuer === undefined) throw new Refusal(`${OFF}: ${findFault(config.publicUrl)}`)
  return issuer
}

/** Why a public URL cannot be an OAuth issuer, for the operator; undefined if it can. */
function findFault(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined)
    return 'SVC_PUBLIC_URL is not set; set it to the https address by which assistants reach the service'
  const url = new URL(publicUrl)
  if (url.pathname !== '/')
    return `SVC_PUBLIC_URL must have no path, but has '${url.pathname}'; give the service a host name of its own`
  if (url.protocol !== 'https:' && !isLoopback(url.host))
    return 'SVC_PUBLIC_URL must begin with https://, since keys are typed there'
  return undefined
}

type Resolve = (host: string) => Promise<LookupAddress[]>

/**
 * Warnings for the operator: why hosted assistants could not connect under this public URL. Empty where nothing is
 * wrong.
 */
export async function checkPublicUrl(publicUrl: string, resolve: Resolve): Promise<string[]> {
  const fault = findFault(publicUrl)
  if (fault !== undefined) return [`hosted assistants cannot connect by OAuth: ${fault}`]
  const { host, hostname, port } = new URL(publicUrl)
  if (isLoopback(host)) return ['SVC_PUBLIC_URL names this machine: only clients on it can connect by OAuth']
  const wrong = port === '' ? [] : [`SVC_PUBLIC_URL has the port ${port}: some hosted assistants reach port 443 only`]
  const unreachable = await findUnreachable(hostname, resolve)
  return unreachable === undefined ? wrong : [...wrong, unreachable]
}

/** Why hosted assistants could not reach the host: they use IPv4 and call no private address. */
async function findUnreachable(hostname: string, resolve: Resolve): Promise<string | undefined> {
  const addresses = await resolve(toHost(hostname)).catch(() => [])
  if (addresses.length === 0) return `SVC_PUBLIC_URL names '${hostname}', which does not resolve to an address`
  const hidden = addresses.find(({ address }) => !isPublic(address))
  if (hidden !== undefined)
    return `SVC_PUBLIC_URL names '${hostname}', which resolves to ${hidden.address}: not on the public internet`
  const four = addresses.some(({ family }) => family === 4)
  return four
    ? undefined
    : `SVC_PUBLIC_URL names '${hostname}', which has no IPv4 address: some hosted assistants need one`
}
