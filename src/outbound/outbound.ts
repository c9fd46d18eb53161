import { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'
import { isIP } from 'node:net'
import { OutboundError } from '../errors.ts'
import { readAllowed } from './address.ts'
import { exchange, type OutboundRequest, type Transport } from './exchange.ts'
import { guardedLookup, type Resolve, requireAllowed } from './lookup.ts'

export type { OutboundRequest } from './exchange.ts'

/** The one door out. */
export type Outbound = {
  /**
   * Asks another server. Only https to the public internet, unless the operator allowed the host or its network; the address is
   * resolved once, checked, and then connected to. Follows no redirect. Resolves with the whole answer, whose
   * `content-length` is then its size, or with the head of a stream of events, whose body then fails beyond the bounds. Takes no cookies. Throws OutboundError, which names no address.
   */
  fetch: (url: string | URL, ask: OutboundRequest) => Promise<Response>
  /** Drops the connections kept warm. */
  close: () => void
}

/** Most connections to one host, and how many of them are kept warm without a request. */
const SOCKETS = { keepAlive: true, maxSockets: 256, maxFreeSockets: 32, timeout: 60_000 }

/** Opens the door. `allow` is the operator's list of hosts and networks; throws a Refusal that names a bad entry. */
export function createOutbound(allow: string[], resolve?: Resolve): Outbound {
  const allowed = readAllowed(allow)
  const secure: Transport = { secure: true, agent: new Agent(SOCKETS), lookup: guardedLookup(allowed, true, resolve) }
  const plain: Transport = { secure: false, agent: new PlainAgent(SOCKETS), lookup: guardedLookup(allowed, false, resolve) }

  return {
    fetch: async (address, ask) => {
      const url = URL.parse(String(address))
      if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) throw new OutboundError('address')
      const line = url.protocol === 'https:' ? secure : plain
      const host = url.hostname.replace(/^\[|\]$/g, '')
      // A socket looks up names only.
      if (isIP(host) !== 0) requireAllowed(allowed, host, line.secure, [host])
      return exchange(line, url, ask)
    },
    close: () => {
      secure.agent.destroy()
      plain.agent.destroy()
    },
  }
}
