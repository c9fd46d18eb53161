import { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'
import { isIP } from 'node:net'
import { OutboundError } from '../errors.ts'
import { readAllowed } from './address.ts'
import { guardedLookup, type Resolve, requireAllowed, toHost } from './lookup.ts'
import { type OutboundRequest, sendRequest, type Transport } from './request.ts'

export type { OutboundRequest } from './request.ts'

/** The guarded HTTP client, through which every request of the service to another server goes. */
export type Outbound = {
  /**
   * Sends a request by https to the public internet, or to a host or network that the operator allowed. The name is
   * resolved once, all its addresses are checked, and the connection goes to one of those. Redirects are not followed,
   * cookies not kept. Resolves with the complete response, whose `content-length` is its size, or with the head of an
   * event stream, whose body fails beyond the bounds. Throws OutboundError, which names no address.
   */
  fetch: (url: string | URL, request: OutboundRequest) => Promise<Response>
  /** Closes the idle connections. */
  close: () => void
}

/** Bounds for each host. */
const AGENT_OPTIONS = { keepAlive: true, maxSockets: 256, maxFreeSockets: 32, timeout: 60_000 }

/** `allow` is the operator's list of hosts and networks. Throws a Refusal that names a wrong entry. */
export function createOutbound(allow: string[], resolve?: Resolve): Outbound {
  const allowed = readAllowed(allow)
  const secure: Transport = {
    secure: true,
    agent: new Agent(AGENT_OPTIONS),
    lookup: guardedLookup(allowed, true, resolve),
  }
  const plain: Transport = {
    secure: false,
    agent: new PlainAgent(AGENT_OPTIONS),
    lookup: guardedLookup(allowed, false, resolve),
  }

  return {
    fetch: async (address, request) => {
      const url = URL.parse(String(address))
      if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password)
        throw new OutboundError('address')
      const transport = url.protocol === 'https:' ? secure : plain
      const host = toHost(url.hostname)
      // Sockets do not call `lookup` for IP addresses.
      if (isIP(host) !== 0) requireAllowed(allowed, host, transport.secure, [host])
      return sendRequest(transport, url, request)
    },
    close: () => {
      secure.agent.destroy()
      plain.agent.destroy()
    },
  }
}
