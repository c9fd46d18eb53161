import type { Actor } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import { isCallable, readAllowed, toHost } from '../outbound/address.ts'
import { OutboundError } from '../outbound/outbound-error.ts'

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

const ADVICE: Record<string, string> = {
  redirect: 'enter the address that it sends calls to',
  unreachable: 'check the address, and whether the server runs',
  certificate: 'whoever runs the server has to renew its certificate',
  broken: 'try again; if that goes on, look at the server',
  timeout: 'look at the server, or give it more time',
  size: 'its list of tools is longer than an answer may be',
  busy: 'try again in a minute',
  credentials: 'enter a credential that it accepts, and the header that it wants it in',
  status: 'check the path of the address: that of an MCP server often ends in /mcp',
  protocol: 'check the address: what answers there may not be an MCP server',
  secret: 'enter the credential anew',
}

/** What a person can do about a failure of this kind. */
export function toAdvice(kind: string, { url }: { url: string }): string | undefined {
  return kind === 'address' ? toAllowAdvice(url) : ADVICE[kind]
}

function toAllowAdvice(url: string): string {
  const { hostname, protocol } = new URL(url)
  const why =
    protocol === 'http:' ? 'it is called by http, or is not on the public internet' : 'it is not on the public internet'
  return `${why}; the operator of this service can allow it: SVC_OUTBOUND_ALLOW=${toHost(hostname)}`
}
