import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { UNKNOWN_KEY } from '../agent/start-agent.ts'
import { openTestService } from '../start-service.ts'
import { type Connected, expectUsable, NAMES } from './expect-usable.ts'
import { conformanceTools } from './fixtures.ts'
import { readListed, runSuite, SUITES } from './run-suite.ts'
import { openStdioBridge } from './stdio-bridge.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const ALL_NAMES = [...NAMES, 'memsvc_sync_status']

/**
 * What these check is HTTP itself, which a client of the agent does not speak: hosts and origins, and headers that
 * differ from the body.
 */
const ABOUT_HTTP = ['dns-rebinding-protection', 'http-header-validation', 'server-stateless']

let running: Awaited<ReturnType<typeof openTestService>>

beforeAll(async () => {
  // Answers begin as streams, because no scenario waits as long as a call that becomes one.
  running = await openTestService({ integrations: conformanceTools, timing: { afterMs: 0, everyMs: 10_000 } })
})

afterAll(() => running.stop())

const environmentWith = (key: string) => ({
  SVC_ENDPOINT: running.url,
  SVC_API_KEY: key,
  SVC_STATE_DIR: join(running.service.config.dataDir, 'state'),
  PATH: process.env.PATH ?? '',
})

const toProgram = (key: string) => ({
  command: process.execPath,
  args: [MAIN, 'agent'],
  env: environmentWith(key),
  stderr: 'pipe' as const,
})

/** The tools that only the conformance suites call stand between those of the service and the agent's own. */
async function expectAgentUsable(client: Connected): Promise<void> {
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect([...names.slice(0, NAMES.length), names.at(-1)]).toEqual(ALL_NAMES)
  const status = await client.callTool({ name: 'memsvc_sync_status', arguments: {} })
  expect(status.structuredContent).toMatchObject({ state: 'disabled', reason: 'not_enabled' })
  await expectUsable(client, names)
}

test('serves the client of the SDK over standard input and output', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport(toProgram(running.secret)) as Parameters<Client['connect']>[0])
  expect(client.getServerVersion()?.name).toBe('memsvc')
  expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true })
  await client.ping()
  await expectAgentUsable(client as unknown as Connected)
})

test.each([
  ['by default', {}, '2025-11-25'],
  ['when it finds out the era by itself', { versionNegotiation: { mode: 'auto' as const } }, '2026-07-28'],
  ['when it speaks only the newest revision', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
])('serves the newer client %s', async (_, options, revision) => {
  const client = new NewClient({ name: 'test', version: '1' }, options)
  await client.connect(new NewTransport(toProgram(running.secret)))
  expect(client.getNegotiatedProtocolVersion()).toBe(revision)
  await expectAgentUsable(client as unknown as Connected)
})

test('lets both clients in with a key that is not accepted, and tells them so at every call', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport(toProgram(UNKNOWN_KEY)) as Parameters<Client['connect']>[0])
  const newer = new NewClient({ name: 'test', version: '1' })
  await newer.connect(new NewTransport(toProgram(UNKNOWN_KEY)))
  for (const one of [client, newer] as unknown as (Connected & { getInstructions: () => string })[]) {
    expect(one.getInstructions()).toContain('The API key was rejected')
    expect((await one.listTools()).tools.map(({ name }) => name)).toEqual(['memsvc_sync_status'])
    const refusal = await one.callTool({ name: 'search', arguments: { query: 'x' } }).catch(String)
    expect(refusal).toContain('The API key was rejected')
    await one.close()
  }
})

test.each(SUITES)(
  'passes every scenario of %s %j that the service passes, but those about HTTP',
  async (suite, options, list) => {
    const bridge = openStdioBridge(environmentWith(running.secret))
    const { count, failed } = await runSuite(suite, options, bridge.url, running.service.config.dataDir)
    expect(await bridge.stop()).toBe(0)
    const listed = await readListed(list)
    expect(count).toBeGreaterThan(30)
    expect(failed.filter((scenario) => !ABOUT_HTTP.includes(scenario))).toEqual(
      listed.filter((scenario) => !ABOUT_HTTP.includes(scenario)).sort(),
    )
  },
)
