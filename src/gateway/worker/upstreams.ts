import { createOutbound } from '../../outbound/outbound.ts'
import type { UpstreamTarget } from '../messages.ts'
import { createScrub, type Scrub } from './scrub.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** All upstreams of the worker, each under its connection id, opened by its first request. */
type Upstreams = {
  /** Sets the addresses that may be called. @throws a Refusal that names a wrong entry of the list. */
  configure: (allow: string[]) => void
  find: (target: UpstreamTarget) => { upstream: Upstream; scrub: Scrub }
  disconnect: (connectionId: number) => void
  /** Ends all sessions, within a second. */
  close: () => Promise<void>
}

/** Minimum time between two forwarded notifications of an upstream. */
const LIST_CHANGED_INTERVAL_MS = 5_000
const CLOSE_TIMEOUT_MS = 1_000

/** `onListChanged` is called, not too often, when an upstream notifies that its list of tools has changed. */
export function createUpstreams(onListChanged: (connectionId: number) => void): Upstreams {
  const connections = new Map<number, { upstream: Upstream; scrub: Scrub }>()
  let outbound = createOutbound([])

  return {
    configure: (allow) => {
      outbound = createOutbound(allow)
    },
    find: (target) => {
      const known = connections.get(target.connectionId)
      if (known !== undefined) return known
      const upstream = createUpstream(
        outbound,
        target,
        notTooOften(() => onListChanged(target.connectionId)),
      )
      const connected = { upstream, scrub: createScrub(target.url, target.headers) }
      connections.set(target.connectionId, connected)
      return connected
    },
    disconnect: (connectionId) => {
      void connections.get(connectionId)?.upstream.close()
      connections.delete(connectionId)
    },
    close: async () => {
      const closing = [...connections.values()].map(({ upstream }) => upstream.close())
      connections.clear()
      await Promise.race([Promise.allSettled(closing), Bun.sleep(CLOSE_TIMEOUT_MS)])
      outbound.close()
    },
  }
}

function notTooOften(notify: () => void): () => void {
  let notifiedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - notifiedAt < LIST_CHANGED_INTERVAL_MS) return
    notifiedAt = now
    notify()
  }
}
