import type { RequestListener } from 'node:http'
import { createOutbound } from '../../src/outbound/outbound.ts'
import type { Service } from '../../src/service.ts'
import { startServer } from '../outbound/start-server.ts'

/** Stands in for every https site of the internet with a server on loopback: same path, same door, same bounds. */
export async function serveDocuments(service: Service, answer: RequestListener) {
  const server = await startServer(answer)
  const door = createOutbound(['127.0.0.1'])
  service.publicOutbound = { ...door, fetch: (url, ask) => door.fetch(server.url + new URL(url).pathname, ask) }
  return server
}
