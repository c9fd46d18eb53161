import { onTestFinished } from 'bun:test'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './self-signed.ts'

/** Starts a `node:http` server on 127.0.0.1, which is stopped when the test has finished. */
export async function startServer(answer: RequestListener, { secure = false } = {}) {
  const server = secure ? createSecureServer(selfSigned, answer) : createServer(answer)
  const seen = { connections: 0 }
  server.on('connection', () => {
    seen.connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http${secure ? 's' : ''}://127.0.0.1:${port}`, seen, server }
}
