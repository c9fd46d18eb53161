import { onTestFinished } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AgentOptions, runAgent } from '../../src/agent/agent.ts'
import { createListCache } from '../../src/agent/relay/tools-list.ts'
import { openServiceClient } from '../../src/agent/service-client.ts'
import { tools } from '../../src/tools/index.ts'
import type { Answered } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

/** A key of the right form, which no service knows. */
export const UNKNOWN_KEY = 'svc_lXzxUFMpsnskFVWwSw93p5nQygpT5F2d3rJJ'

type Wish = { endpoint: string; key?: string | undefined; environment?: Record<string, string> } & Partial<AgentOptions>

/** A folder for one test, gone when it has finished. */
export async function makeStateDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-agent-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The JSON text of the service's own tools, as it lists them. */
export const SERVICE_TOOLS = `[${Object.values(tools.decorator.catalogue).map(({ listed }) => listed.keyed)}]`

/** An agent's environment, with a folder in which an earlier session kept the list of the service's tools. */
export async function withKnownTools(environment: { SVC_ENDPOINT: string; SVC_API_KEY: string }) {
  const SVC_STATE_DIR = await makeStateDir()
  await createListCache(SVC_STATE_DIR, openServiceClient(environment).identify).write(SERVICE_TOOLS)
  return { ...environment, SVC_STATE_DIR }
}

/**
 * The agent in this process, for one test, with a client that sends lines and collects what comes back. It looks at the
 * list of tools every 50 ms, where it may.
 */
export async function startAgent({ endpoint, key = UNKNOWN_KEY, environment = {}, ...options }: Wish) {
  const lines: string[] = []
  const reports: string[] = []
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 1_000,
  })
  const writer = writable.getWriter()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const stateDir = await makeStateDir()
  const done = runAgent({
    environment: { SVC_ENDPOINT: endpoint, SVC_API_KEY: key, SVC_STATE_DIR: stateDir, ...environment },
    input: readable,
    write: async (bytes) => void lines.push(...Buffer.from(bytes).toString('utf8').split('\n').slice(0, -1)),
    report: (text) => void reports.push(text),
    ended,
    now: Date.now,
    uploadWorker: new URL('../../src/agent/histories/sync/worker/main.ts', import.meta.url),
    intervalMs: 50,
    awayIntervalMs: 50,
    ...options,
  })
  let lastId = 0
  const parsed = () => lines.map((line) => JSON.parse(line) as Answered & { method?: string })

  async function send(line: string | Uint8Array): Promise<void> {
    await writer.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]))
  }

  async function answerTo(id: string | number | null): Promise<Answered> {
    const find = () => parsed().find((answer) => answer.id === id && answer.method === undefined)
    await waitUntil(`an answer to ${id}`, () => find() !== undefined)
    return find() as Answered
  }

  onTestFinished(async () => {
    end()
    await done
    // What it wrote after the folder was removed made it anew.
    await rm(stateDir, { recursive: true, force: true })
  })
  return {
    /** What the client was sent so far, line by line. */
    lines,
    /** What the person at the machine was told. */
    reports,
    send,
    answerTo,
    /** Sends a request and waits for its answer. */
    ask: async (method: string, params?: Record<string, unknown>): Promise<Answered> => {
      lastId += 1
      await send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method, ...(params && { params }) }))
      return answerTo(lastId)
    },
    notifications: () => parsed().flatMap(({ method }) => method ?? []),
    /** Ends the client's input. */
    close: () => writer.close(),
    /** Resolves when the agent has ended. */
    done,
  }
}

export const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

/** The names in an answer to `tools/list`. */
export function namesIn({ result = {} }: Answered): string[] {
  return (result.tools as { name: string }[]).map(({ name }) => name)
}

/** A request as a server of a test got it. */
export type Heard = { headers: Headers; body: string; bytes: Uint8Array }

/** A server in place of the service, for one test, that answers as it is told and keeps what it was sent. */
export function startEndpoint(
  answer: (heard: Heard, times: number, signal: AbortSignal) => Response | Promise<Response>,
) {
  const heard: Heard[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    maxRequestBodySize: 128 * 2 ** 20,
    fetch: async (request) => {
      const bytes = await request.bytes()
      const one = { headers: request.headers, body: Buffer.from(bytes).toString('utf8'), bytes }
      heard.push(one)
      return answer(one, heard.length, request.signal)
    },
  })
  onTestFinished(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, heard, stop: () => server.stop(true) }
}

/** A JSON answer with this text as its body. */
export const json = (body: string, init: ResponseInit = {}) =>
  new Response(body, { ...init, headers: { 'content-type': 'application/json', ...init.headers } })
