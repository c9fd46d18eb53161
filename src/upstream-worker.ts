import { serveUpstreams } from './gateway/serve-upstreams.ts'
import { findGuardMark } from './mcp/mark.ts'
import { createOutbound } from './outbound/outbound.ts'

/** The file of a thread of its own, an entry point of the executable beside `main.ts`: what upstreams send holds up nobody else. */
declare const self: Worker

const hear = serveUpstreams({
  tell: (message) => self.postMessage(message),
  mark: findGuardMark,
  openOutbound: createOutbound,
  collect: () => Bun.gc(true),
  end: () => process.exit(0),
})

self.onmessage = ({ data }) => hear(data)
