import type { Actor } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { OutboundError, Refusal } from '../errors.ts'
import { readAllowed } from '../outbound/address.ts'
import { isCallable } from '../outbound/lookup.ts'

/**
 * Throws a Refusal for the address of an integration that calls would be refused for. A host name is resolved for it,
 * which takes at most two seconds; one that has no address yet is accepted. Every call checks again. Nothing is refused
 * at the command line, which may lack the settings of the service.
 */
export async function requireCallable(
  { config }: Pick<AppContext, 'config'>,
  actor: Actor,
  url: string,
): Promise<void> {
  if (actor.kind === 'operator' && actor.via === 'command line') return
  if (await isCallable(readAllowed(config.outboundAllow), new URL(url))) return
  throw new Refusal(`${new OutboundError('address').message}; ${toAllowAdvice(url)}`, 'url')
}

/** What a person can do about a failure of this kind. */
export function toAdvice(kind: string, { url }: { url: string }): string | undefined {
  return kind === 'address' ? toAllowAdvice(url) : undefined
}

function toAllowAdvice(url: string): string {
  const { hostname, protocol } = new URL(url)
  const why =
    protocol === 'http:' ? 'it is called by http, or is not on the public internet' : 'it is not on the public internet'
  return `${why}; the operator of this service can allow it: SVC_OUTBOUND_ALLOW=${hostname.replace(/^\[|\]$/g, '')}`
}
