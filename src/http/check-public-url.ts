import type { LookupAddress } from 'node:dns'
import { isPublic } from '../outbound/address.ts'
import { isLoopback } from './origin.ts'
import { findFault } from './public-url.ts'

type Resolve = (host: string) => Promise<LookupAddress[]>

/** What an operator should know of the public address before an assistant on the internet tries it; nothing when all is well. */
export async function checkPublicUrl(publicUrl: string | undefined, resolve: Resolve): Promise<string[]> {
  const fault = findFault(publicUrl)
  if (fault !== undefined || publicUrl === undefined) return [`hosted assistants cannot connect by OAuth: ${fault}`]
  const { host, hostname, port } = new URL(publicUrl)
  if (isLoopback(host)) return ['SVC_PUBLIC_URL names this machine: only clients on it can connect by OAuth']
  const wrong = port === '' ? [] : [`SVC_PUBLIC_URL has the port ${port}: some hosted assistants reach port 443 only`]
  const unreachable = await findUnreachable(hostname, resolve)
  return unreachable === undefined ? wrong : [...wrong, unreachable]
}

/** Hosted assistants come over IPv4 and call no private address. */
async function findUnreachable(hostname: string, resolve: Resolve): Promise<string | undefined> {
  const addresses = await resolve(hostname.replace(/^\[|\]$/g, '')).catch(() => [])
  if (addresses.length === 0) return `SVC_PUBLIC_URL names '${hostname}', which does not resolve to an address`
  const hidden = addresses.find(({ address }) => !isPublic(address))
  if (hidden !== undefined) return `SVC_PUBLIC_URL names '${hostname}', which resolves to ${hidden.address}: not on the public internet`
  const four = addresses.some(({ family }) => family === 4)
  return four ? undefined : `SVC_PUBLIC_URL names '${hostname}', which has no IPv4 address: some hosted assistants need one`
}
