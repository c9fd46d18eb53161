import { onTestFinished } from 'bun:test'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '../free-port.ts'
import { waitUntil } from '../wait-until.ts'

/** A message that an upstream received. */
export type Got = {
  id: number | undefined
  method: string
  params: Record<string, unknown>
  headers: Headers
  signal: AbortSignal
}

type Answering = (got: Got) => unknown

/** An element of `tools/list`, annotated as read-only unless `more` says otherwise. */
export const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  ...more,
})

const says = (text: string) => ({ content: [{ type: 'text', text }] })

const FRAMES: Record<string, object> = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'made by hand', version: '1' },
  },
}

/**
 * Starts an MCP server without an SDK, so that it can break the protocol: `answers` maps a method to its result, or to
 * a complete Response. It lists the tool `echo` unless `answers` says otherwise.
 */
export function startUpstream(answers: Record<string, Answering> = {}, era: 'stateless' | 'handshake' = 'stateless') {
  const got: Got[] = []
  const usual: Record<string, Answering> = {
    [era === 'stateless' ? 'server/discover' : 'initialize']: () => ({}),
    'tools/list': () => ({ tools: [tool('echo')] }),
    'tools/call': ({ params }) => says(JSON.stringify(params.arguments)),
  }
  const around = era === 'stateless' ? { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' } : {}
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: async (request) => {
      const {
        id,
        method,
        params = {},
      } = (request.method === 'DELETE' ? { method: 'DELETE' } : await request.json()) as {
        id?: number
        method: string
        params?: Got['params']
      }
      const message = { id, method, params, headers: request.headers, signal: request.signal }
      got.push(message)
      if (id === undefined) return new Response(null, { status: 202 })
      const answer = answers[method] ?? usual[method]
      const result = await answer?.(message)
      if (result instanceof Response) return result
      if (answer === undefined)
        return Response.json(
          { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
          { status: 404 },
        )
      return Response.json({ jsonrpc: '2.0', id, result: { ...around, ...FRAMES[method], ...(result as object) } })
    },
  })
  onTestFinished(() => server.stop(true))
  const calls = (method: string) => got.filter((message) => message.method === method)
  return { url: `http://127.0.0.1:${server.port}/mcp`, got, calls, stop: () => server.stop(true) }
}

/** Starts a server in another process and waits until it answers. */
async function startProcess(words: string[], port: number) {
  const child = Bun.spawn([process.execPath, ...words], {
    env: { ...process.env, PORT: String(port) },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  onTestFinished(kill)
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  await waitUntil(`${words[0]} answers`, answers)
  return { port, kill }
}

/** Starts the reference server `everything`, over one of its transports. */
export async function startEverything(transport: 'streamableHttp' | 'sse' = 'streamableHttp', port = findFreePort()) {
  const started = await startProcess(
    [require.resolve('@modelcontextprotocol/server-everything/dist/index.js'), transport],
    port,
  )
  return { ...started, url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}` }
}

/** Starts a small server made with one of the official SDKs. */
export async function startMade(kind: 'sdk-1' | 'sdk-2', port = findFreePort()) {
  const started = await startProcess([join(import.meta.dir, 'servers', `${kind}.ts`)], port)
  return { ...started, url: `http://127.0.0.1:${port}/mcp` }
}

/** Starts a TCP relay to a port of this machine that records what the service sent. */
export function startRelay(to: number) {
  let sent = ''
  const relay = createServer((client) => {
    const server = connect(to, '127.0.0.1')
    client.on('data', (bytes) => {
      sent += bytes
    })
    client.pipe(server).pipe(client)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void relay.close())
  return { port: (relay.address() as AddressInfo).port, sent: () => sent }
}
