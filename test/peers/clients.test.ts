import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { rejectionOf } from '../rejection-of.ts'
import { openTestService } from '../start-service.ts'
import { type Connected, expectUsable, NAMES } from './expect-usable.ts'

let running: Awaited<ReturnType<typeof openTestService>>

beforeAll(async () => {
  running = await openTestService()
})

afterAll(() => running.stop())

function address(): [URL, { requestInit: RequestInit }] {
  return [new URL(`${running.url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${running.secret}` } } }]
}

test('serves the client of the SDK', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(...address()) as Parameters<Client['connect']>[0])
  expect(client.getServerVersion()?.name).toBe('memsvc')
  await client.ping()
  await expectUsable(client as unknown as Connected, NAMES)
})

test('tells the client of the SDK that its key is not accepted', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const [url] = address()
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { Authorization: 'Bearer svc_wrong' } },
  })
  expect(await rejectionOf(client.connect(transport as Parameters<Client['connect']>[0]))).toMatch(/401|unauthorized/i)
})

test.each([
  ['by default', {}, '2025-11-25'],
  ['when it finds out the era by itself', { versionNegotiation: { mode: 'auto' as const } }, '2026-07-28'],
  ['when it speaks only the newest revision', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
])('serves the newer client %s', async (_, options, revision) => {
  const client = new NewClient({ name: 'test', version: '1' }, options)
  await client.connect(new NewTransport(...address()))
  expect(client.getNegotiatedProtocolVersion()).toBe(revision)
  await expectUsable(client as unknown as Connected, NAMES)
})
