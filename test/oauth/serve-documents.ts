import type { RequestListener } from 'node:http'
import { createOutbound } from '../../src/outbound/outbound.ts'
import type { Service } from '../../src/service.ts'
import { startServer } from '../outbound/start-server.ts'

/** Serves the metadata documents of every https site from a server on loopback, by their paths. */
export async function serveDocuments(service: Service, answer: RequestListener) {
  const server = await startServer(answer)
  const outbound = createOutbound(['127.0.0.1'])
  service.publicOutbound = {
    ...outbound,
    fetch: (url, options) => outbound.fetch(server.url + new URL(url).pathname, options),
  }
  return server
}
