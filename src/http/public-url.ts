import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { isLoopback } from './origin.ts'
import { urlOf } from './request-url.ts'

const OFF = 'hosted assistants cannot connect by OAuth'

/**
 * The origin under which this service issues tokens: the public one, or the one by which a machine reaches itself.
 * Undefined where there is none that a client could trust; then nobody is led to OAuth.
 */
export function findIssuer({ publicUrl }: Pick<Config, 'publicUrl'>, request: Request): string | undefined {
  if (publicUrl !== undefined) return findFault(publicUrl) === undefined ? new URL(publicUrl).origin : undefined
  const url = urlOf(request)
  return isLoopback(url.host) ? url.origin : undefined
}

/** The same. Throws a Refusal that says what to do where there is none. */
export function requireIssuer(config: Pick<Config, 'publicUrl'>, request: Request): string {
  const issuer = findIssuer(config, request)
  if (issuer === undefined) throw new Refusal(`${OFF}: ${findFault(config.publicUrl)}`)
  return issuer
}

/** What keeps OAuth off under this public address, in words for the operator; undefined when nothing does. */
export function findFault(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return 'SVC_PUBLIC_URL is not set; set it to the https address by which assistants reach the service'
  const url = new URL(publicUrl)
  if (url.pathname !== '/') return `SVC_PUBLIC_URL must have no path, but has '${url.pathname}'; give the service a host name of its own`
  if (url.protocol !== 'https:' && !isLoopback(url.host)) return 'SVC_PUBLIC_URL must begin with https://, since keys are typed there'
  return undefined
}
