import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { rejectionOf } from '../rejection-of.ts'
import { openTestService } from '../start-service.ts'

const NAMES = ['remember', 'search', 'forget', 'validate_memory', 'gateway_call']

let running: Awaited<ReturnType<typeof openTestService>>

beforeAll(async () => {
  running = await openTestService()
})

afterAll(() => running.stop())

function address(): [URL, { requestInit: RequestInit }] {
  return [new URL(`${running.url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${running.secret}` } } }]
}

/** The calls that the clients below have in common. Both validate results against the published schemas. */
type Connected = {
  listTools: () => Promise<{ tools: { name: string }[] }>
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<Record<string, unknown>>
  close: () => Promise<void>
}

async function expectUsable(client: Connected): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(NAMES)
  const source = { source_id: 'docs/build.md', source_hash: 'a1' }
  const saved = await client.callTool({ name: 'remember', arguments: { content: 'The build runs on Bun', ...source } })
  const { id } = (saved.structuredContent as { result: { id: string } }).result
  const found = await client.callTool({ name: 'search', arguments: { query: 'what does the build run on' } })
  expect(found.structuredContent).toMatchObject({ result: [{ id, content: 'The build runs on Bun' }] })
  const checked = await client.callTool({ name: 'validate_memory', arguments: { source_id: 'docs/build.md' } })
  expect(checked.structuredContent).toMatchObject({ result: { fresh: 1 } })
  await client.callTool({ name: 'forget', arguments: { id } })
  expect((await client.callTool({ name: 'search', arguments: { query: 'build' } })).structuredContent).toMatchObject({
    result: [],
    hint: {},
  })
  const refused = await client.callTool({ name: 'search', arguments: { query: 'x', limit: 99 } })
  expect(refused).toMatchObject({ isError: true, content: [{ text: 'Error executing tool search: limit must be at most 50' }] })
  await client.close()
}

test('serves the client of the SDK', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(...address()) as Parameters<Client['connect']>[0])
  expect(client.getServerVersion()?.name).toBe('memsvc')
  await client.ping()
  await expectUsable(client as unknown as Connected)
})

test('tells the client of the SDK that its key is not accepted', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const [url] = address()
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: 'Bearer svc_wrong' } } })
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
  await expectUsable(client as unknown as Connected)
})
