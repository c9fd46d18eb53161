import { onTestFinished } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FirstRun, firstRun } from '../src/account/organizations/first-run.ts'
import { createApp } from '../src/app.ts'
import { readNetworks } from '../src/config/networks.ts'
import { type Config, readConfig } from '../src/config.ts'
import { createLog } from '../src/log.ts'
import type { Integrations } from '../src/mcp/catalogue.ts'
import type { ProgressTiming } from '../src/mcp/progress.ts'
import { openService } from '../src/service.ts'
import { buildOrganization } from './builders/organization.ts'
import { configureTestStore } from './test-store.ts'

/** How a tool answered. */
export type Called = { tool: string; isError: boolean; text: string; structured: Record<string, unknown> | undefined }

/** How the endpoint answered; `body` is undefined where there is none. */
export type Posted = { status: number; headers: Headers; body: Answered | undefined }

export type Answered = {
  jsonrpc: string
  id: string | number | null
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

export type Wish = {
  config?: Partial<Config>
  integrations?: Integrations
  timing?: ProgressTiming
  /** What another service on the same database made at its first run. */
  first?: FirstRun
}

const START = Date.UTC(2026, 0, 15, 12)

/**
 * This machine, and the server that integrations name which nothing calls: what is allowed by its name is not looked up
 * when they are added.
 */
const CALLABLE_HOSTS = ['127.0.0.1', 'mcp.example.org']

/**
 * The whole service on a temporary folder, listening on a free port of 127.0.0.1, with an account, a project, a key and
 * a clock to hold.
 */
export async function openTestService({ config, integrations, timing, first: made }: Wish = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-test-'))
  const time = { passed: 0 }
  const clock = { now: () => START + time.passed, ticks: () => time.passed, shared: () => START + time.passed }
  const random = {
    uuid: (at: number) => Bun.randomUUIDv7('hex', at),
    bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  }
  const logged: string[] = []
  const fixed = {
    host: '127.0.0.1',
    port: 0,
    dataDir: folder,
    clientDocuments: 'on' as const,
    outboundAllow: CALLABLE_HOSTS,
  }
  // A proxy on this machine may stand before it, so that a test can come from anywhere.
  const trustedProxies = readNetworks(['127.0.0.1'])
  const settings = { ...readConfig({}), ...fixed, trustedProxies, ...(await configureTestStore()), ...config }
  const log = createLog(clock.now, (line) => logged.push(line))
  const service = await openService({ config: settings, clock, random, log, version: '0.0.0', isServing: true })
  const first = (await firstRun(service)) ?? made
  if (first === undefined) throw new Error('the folder is not new')
  const app = createApp(service, integrations, timing).listen({ hostname: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${app.server?.port}`
  return {
    ...first,
    service,
    org: buildOrganization({ service, ...first }),
    url,
    logged,
    /** Requests that have arrived and are not answered. */
    pendingRequests: () => app.server?.pendingRequests ?? 0,
    /** Lets time pass, in milliseconds. */
    pass: (milliseconds: number) => {
      time.passed += milliseconds
    },
    ...speakTo(url, first.secret),
    /** The same service with another credential. */
    as: (secret: string) => speakTo(url, secret),
    stop: async () => {
      await app.stop(true)
      await service.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The same, for one test: stopped when it has finished. */
export async function startService(wish: Wish = {}) {
  const running = await openTestService(wish)
  onTestFinished(running.stop)
  return running
}

function speakTo(url: string, secret: string) {
  let lastId = 0
  const usual = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }

  /** Posts a message, or text as it is. A header that is undefined is left out. */
  async function post(message: unknown, headers: Record<string, string | undefined> = {}): Promise<Posted> {
    const kept = Object.entries({ ...usual, ...headers }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    const body = typeof message === 'string' ? message : JSON.stringify(message)
    const response = await fetch(`${url}/mcp`, { method: 'POST', headers: kept, body })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : (JSON.parse(text) as Answered),
    }
  }

  /** Calls a tool that is there. */
  async function call(tool: string, args: Record<string, unknown> = {}): Promise<Called> {
    lastId += 1
    const { body } = await post({
      jsonrpc: '2.0',
      id: lastId,
      method: 'tools/call',
      params: { name: tool, arguments: args },
    })
    if (body?.result === undefined) throw new Error(`no result: ${JSON.stringify(body)}`)
    const { content, structuredContent, isError } = body.result as {
      content: { text: string }[]
      structuredContent?: Record<string, unknown>
      isError: boolean
    }
    return { tool, isError, text: content[0]?.text ?? '', structured: structuredContent }
  }

  return { post, call }
}
