import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { probeIntegration } from '../../src/gateway/probe.ts'
import { waitUntil } from '../wait-until.ts'
import { startGateway } from './start-gateway.ts'
import { startUpstream, tool } from './upstreams.ts'

/** The probe of an upstream whose `tools/list` is answered by this function. */
async function probeList(list: (cursor: unknown) => unknown, wish: { timeoutMs?: number } = {}) {
  const upstream = startUpstream({ 'tools/list': ({ params }) => list(params.cursor) }, 'handshake')
  const { service, connect } = await startGateway()
  return { upstream, ...(await probeIntegration(service, COMMAND_LINE, await connect({ url: upstream.url, ...wish }))) }
}

const nested = (levels: number): object => (levels === 0 ? {} : { properties: { a: nested(levels - 1) } })

test('leaves out what no client should be shown, says why, and keeps the rest', async () => {
  const deep = { type: 'object', ...nested(40) }
  const remote = { type: 'object', properties: { a: { anyOf: [{ $ref: 'https://elsewhere.example/schema.json' }] } } }
  const local = { type: 'object', $defs: { a: { type: 'string' } }, properties: { a: { $ref: '#/$defs/a' } } }
  const tools = [
    tool('deep', { inputSchema: deep }),
    tool('deep-result', { outputSchema: deep }),
    tool('remote', { inputSchema: remote }),
    tool('local', { inputSchema: local }),
    tool('large', { inputSchema: { type: 'object', description: 'x'.repeat(70_000) } }),
    tool('list', { inputSchema: { type: 'array' } }),
    tool('line\nbreak'),
    tool('twice', { title: 'first' }),
    tool('twice', { title: 'second' }),
    tool('n'.repeat(300)),
    tool('tasks', { execution: { taskSupport: 'required' } }),
    { inputSchema: { type: 'object' } },
    'no tool',
    null,
  ]
  const { listed, skipped, failure } = await probeList(() => ({ tools }))
  expect(failure).toBeUndefined()
  expect(listed).toEqual(['hub.local', 'hub.twice'])
  expect(Object.fromEntries(skipped.map(({ name, why }) => [name, why]))).toEqual({
    deep: 'its schemas are nested deeper than 32 levels',
    'deep-result': 'its schemas are nested deeper than 32 levels',
    remote: 'its schemas refer to another document',
    large: 'its schemas are larger than 65536 characters',
    list: 'its input schema is not one of an object',
    'line break': 'its name has control characters',
    twice: 'another tool has the same name',
    [`${'n'.repeat(80)}`]: 'its name must have 1 to 256 characters',
    tasks: 'it runs only as a task',
    '?': 'it has no name',
  })
})

test('keeps at most 500 tools', async () => {
  const { listed, skipped } = await probeList(() => ({
    tools: Array.from({ length: 10_000 }, (_, n) => tool(`tool-${n}`)),
  }))
  expect(listed).toBeArrayOfSize(500)
  expect(skipped[0]).toEqual({ name: 'tool-500', why: 'there are more than 500 tools' })
})

test('does not read a list without end', async () => {
  const { upstream, listed } = await probeList((cursor) => ({
    tools: [tool(`tool-${cursor ?? 0}`)],
    nextCursor: String(Number(cursor ?? 0) + 1),
  }))
  expect(listed).toBeArrayOfSize(50)
  expect(upstream.calls('tools/list')).toBeArrayOfSize(50)
})

test('stops reading a list of 100 MB, and goes on with the one it had', async () => {
  const chunk = new TextEncoder().encode(`${JSON.stringify(tool('x'.repeat(1_000)))},`.repeat(1_000))
  const sent = { bytes: 0 }
  let large = false
  const flood = () =>
    new ReadableStream({
      pull: (controller) => {
        sent.bytes += chunk.length
        controller.enqueue(chunk)
        if (sent.bytes > 100_000_000) controller.close()
      },
    })
  const upstream = startUpstream({
    'tools/list': () =>
      large ? new Response(flood(), { headers: { 'content-type': 'application/json' } }) : { tools: [tool('echo')] },
  })
  const { listWhenKnown, list, pass, call, service, connect } = await startGateway({ url: upstream.url })
  await listWhenKnown()
  large = true
  pass(3_600_000)
  expect(await call('hub.echo')).toBeToolError(/^integration 'hub' failed \(size\)/)
  expect(sent.bytes).toBeLessThan(50_000_000)
  expect(await list()).toMatchObject([{ name: 'hub.echo' }])
  expect(
    (await probeIntegration(service, COMMAND_LINE, await connect({ url: upstream.url, slug: 'other' }))).failure?.kind,
  ).toBe('size')
})

test.each([
  ['never answers', () => new Promise(() => {}), 'timeout'],
  ['answers another request', () => Response.json({ jsonrpc: '2.0', id: 4711, result: { tools: [] } }), 'timeout'],
  ['is no MCP server', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'protocol'],
  ['gives no list', () => ({ tools: 'all' }), 'protocol'],
  [
    'answers with broken JSON',
    () => new Response('{"jsonrpc":', { headers: { 'content-type': 'application/json' } }),
    'protocol',
  ],
])('reports a server that %s', async (_, answer, kind) => {
  const { failure, listed } = await probeList(answer, kind === 'timeout' ? { timeoutMs: 1_000 } : {})
  expect([failure?.kind, listed]).toEqual([kind as never, []])
})

test('knows that no answer will come when the upstream has said all it had to say', async () => {
  const upstream = startUpstream({
    'tools/call': () => new Response(': nothing\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  })
  const { call } = await startGateway({ url: upstream.url })
  expect(await call('hub.echo')).toBeToolError("integration 'hub' failed (broken): the connection to it broke")
})

test('passes on nothing that is nested too deep to be read again', async () => {
  const upstream = startUpstream(
    {
      'tools/call': ({ id }) => {
        const deep = '['.repeat(200_000) + ']'.repeat(200_000)
        const body = `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${deep}}}}`
        return new Response(body, { headers: { 'content-type': 'application/json' } })
      },
    },
    'handshake',
  )
  const { call } = await startGateway({ url: upstream.url })
  expect(await call('hub.echo')).toBeToolError(
    "integration 'hub' failed (protocol): its answer is not what the protocol asks for",
  )
})

test('bounds the calls that wait for one upstream, and leaves the others alone', async () => {
  const release = Promise.withResolvers<object>()
  const upstream = startUpstream({ 'tools/call': () => release.promise })
  const well = startUpstream()
  const { as, raw, org } = await startGateway({ url: upstream.url, timeoutMs: 60_000 }, { url: well.url, slug: 'well' })
  const keys = await Promise.all([1, 2, 3, 4, 5].map(() => org.issueKey()))
  let refused = 0
  const callHub = async (secret: string) => {
    const { text } = await as(secret).call('hub.echo')
    if (text.endsWith("integration 'hub' has 128 calls on their way; try again")) refused += 1
  }
  const calls = Promise.all(keys.flatMap(({ secret }) => Array.from({ length: 28 }, () => callHub(secret))))
  await waitUntil('what is beyond the bound is refused', () => refused === 12)
  expect(await raw('well.echo')).toMatchObject({ isError: false })
  release.resolve({ content: [] })
  await calls
  expect(refused).toBe(12)
})
