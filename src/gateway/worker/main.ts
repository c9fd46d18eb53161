import { createOutbound } from '../../outbound/outbound.ts'
import { findMarks } from './marks.ts'
import { serveUpstreams } from './serve-upstreams.ts'

/**
 * An entry point of the executable: the worker thread that calls upstreams, so that nothing they send blocks the event
 * loop of the service.
 */
declare const self: Worker

const handleMessage = serveUpstreams({
  post: (message, moved = []) => self.postMessage(message, moved),
  findMarks,
  openOutbound: createOutbound,
  collectGarbage: () => Bun.gc(true),
  exit: () => process.exit(0),
})

self.onmessage = ({ data }) => handleMessage(data)
