import { expect, onTestFinished, test } from 'bun:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { revokeKey } from '../../src/account/keys/key.ts'
import { MINUTE_MS } from '../../src/clock.ts'
import type { Answered } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'
import { type IntegrationWish, startGatewayWith } from './start-gateway.ts'
import { type Got, startEverything, startMade, startUpstream } from './upstreams.ts'

const TIMING = { afterMs: 50, everyMs: 200 }

type Report = { progressToken: unknown; progress: number; total?: number; message?: string }
type Message = Answered & { method?: string; params?: Report }

const start = (wish: IntegrationWish) => startGatewayWith({ timing: TIMING }, wish)

const STATELESS = {
  meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'hub.echo' },
}

type StreamWish = {
  era?: 'handshake' | 'stateless'
  id?: number
  name?: string
  args?: object
  headers?: object
  signal?: AbortSignal
}

/**
 * Calls a tool with a progress token. `next` is the next message of the stream that answers it; undefined after the
 * last.
 */
async function openStream(
  { url, secret }: { url: string; secret: string },
  { era = 'handshake', id = 1, name = 'hub.echo', args = {}, headers = {}, signal }: StreamWish = {},
) {
  const { meta, headers: ofEra } = era === 'stateless' ? STATELESS : { meta: {}, headers: {} }
  const params = { name, arguments: args, _meta: { ...meta, progressToken: 'p' } }
  const usual = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
  const request = { method: 'POST', headers: { ...usual, ...ofEra, ...headers }, body }
  const response = await fetch(`${url}/mcp`, { ...request, ...(signal && { signal }) })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function next(): Promise<Message | undefined> {
    while (!text.includes('\n\n')) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) return undefined
      text += value
    }
    const end = text.indexOf('\n\n')
    const event = /^event: message\ndata: (.*)$/.exec(text.slice(0, end))?.[1]
    text = text.slice(end + 2)
    return JSON.parse(event ?? '')
  }
  return { type: response.headers.get('content-type'), headers: response.headers, next }
}

/** An upstream that answers a call once `release` is called; `started` resolves with the call. */
function startHolding(era: 'stateless' | 'handshake' = 'stateless') {
  const started = Promise.withResolvers<Got>()
  const released = Promise.withResolvers<object>()
  const call = (got: Got) => {
    started.resolve(got)
    return released.promise
  }
  const upstream = startUpstream({ 'tools/call': call }, era)
  return {
    ...upstream,
    started: started.promise,
    release: () => released.resolve({ content: [{ type: 'text', text: 'done' }] }),
  }
}

/** An upstream that answers a call with a stream of events, which the test writes. */
function startStreaming(era: 'stateless' | 'handshake' = 'stateless') {
  const opened = Promise.withResolvers<{ got: Got; controller: ReadableStreamDefaultController<string> }>()
  const call = (got: Got) => {
    const body = new ReadableStream<string>({ start: (controller) => opened.resolve({ got, controller }) })
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } })
  }
  const upstream = startUpstream({ 'tools/call': call }, era)
  const send = async (message: object) =>
    (await opened.promise).controller.enqueue(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
  const tokenOf = ({ params }: Got) => (params._meta as { progressToken?: number } | undefined)?.progressToken
  return {
    ...upstream,
    report: async (report: object) => {
      const { got } = await opened.promise
      await send({ method: 'notifications/progress', params: { progressToken: tokenOf(got), ...report } })
    },
    finish: async (text = 'done') => {
      const { got, controller } = await opened.promise
      await send({ id: got.id, result: { resultType: 'complete', content: [{ type: 'text', text }] } })
      controller.close()
    },
    got: async () => (await opened.promise).got,
    tokenOf,
  }
}

test.each(['handshake', 'stateless'] as const)(
  'a call with a progress token that takes long is answered as a stream of reports and the result, in the %s era',
  async (era) => {
    const upstream = startHolding(era)
    const running = await start({ url: upstream.url })
    const { type, headers, next } = await openStream(running, { era })
    expect([type, headers.get('cache-control')]).toEqual(['text/event-stream', 'no-store'])
    const reports = [await next(), await next(), await next()].map((message) => message?.params)
    expect(reports.map((report) => report?.progressToken)).toEqual(['p', 'p', 'p'])
    const values = reports.map((report) => report?.progress ?? 0)
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b))
    upstream.release()
    let last = await next()
    while (last?.method !== undefined) last = await next()
    expect(last).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'done' }], isError: false },
    })
    expect(last?.result?.resultType).toBe(era === 'stateless' ? 'complete' : undefined)
    expect(await next()).toBeUndefined()
  },
)

test('a call that ends soon, one without a token, and every call of a memory tool are answered as JSON', async () => {
  const [quick, holding] = [startUpstream(), startHolding()]
  const { post } = await startGatewayWith(
    { timing: { afterMs: 60_000, everyMs: 10 } },
    { url: holding.url },
    { url: quick.url, slug: 'quick' },
  )
  const call = (name: string, args: object, meta?: object) =>
    post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: meta } })
  const without = call('hub.echo', {})
  const answers = [
    await call('quick.echo', {}, { progressToken: 1 }),
    await call('quick.echo', {}, { progressToken: { no: 'token' } }),
    await call('remember', { content: 'The build runs on Bun' }, { progressToken: 1 }),
    await call('search', { query: 'build' }, { progressToken: 1 }),
    await call('quick.nope', {}, { progressToken: 1 }),
  ]
  holding.release()
  for (const { headers } of [...answers, await without]) expect(headers.get('content-type')).toBe('application/json')
})

test('an upstream is asked for progress only where the client asks for it', async () => {
  const upstream = startUpstream()
  // A call that takes long enough for a stream has no answer that `post` reads.
  const { raw, post } = await startGatewayWith({ timing: { ...TIMING, afterMs: 60_000 } }, { url: upstream.url })
  await raw('hub.echo')
  await post({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'hub.echo', _meta: { progressToken: 'p' } },
  })
  const tokens = upstream
    .calls('tools/call')
    .map(({ params }) => (params._meta as { progressToken?: unknown } | undefined)?.progressToken)
  expect(tokens).toEqual([undefined, expect.any(Number)])
})

test.each(['handshake', 'stateless'] as const)(
  'reports of an upstream of the %s era pass through, in order and in bounds',
  async (era) => {
    const upstream = startStreaming(era)
    const running = await start({ url: upstream.url })
    const answering = openStream(running)
    expect(upstream.tokenOf(await upstream.got())).toBeDefined()
    await upstream.report({ progress: 1, total: 4, message: `one\u001b[31m\nof four${'x'.repeat(400)}` })
    const { next } = await answering
    const first = await until(next, ({ total }) => total === 4)
    expect([first.progress, first.message]).toEqual([1, `one [31m of four${'x'.repeat(184)}`])
    await upstream.report({ progress: 1, total: 4, message: 'the same again' })
    expect((await until(next, ({ message }) => message === 'the same again')).progress).toBeGreaterThan(1)
    await upstream.report({ progress: 3, total: 4 })
    expect(await until(next, ({ progress }) => progress >= 3)).toEqual({ progressToken: 'p', progress: 3, total: 4 })
    await upstream.finish()
    expect(await toResult(next)).toMatchObject({ content: [{ text: 'done' }] })
  },
)

type Next = Awaited<ReturnType<typeof openStream>>['next']

/** The first report for which `isIt` is true. */
async function until(next: Next, isIt: (report: Report) => boolean): Promise<Report> {
  for (let message = await next(); message !== undefined; message = await next())
    if (message.params !== undefined && isIt(message.params)) return message.params
  throw new Error('the stream has ended')
}

/** The message at the end of the stream. */
async function toLast(next: Next): Promise<Message> {
  for (let message = await next(); message !== undefined; message = await next())
    if (message.method === undefined) return message
  throw new Error('the stream has ended')
}

async function toResult(next: Next): Promise<Record<string, unknown> | undefined> {
  return (await toLast(next)).result
}

test('an upstream that reports progress is waited for longer than its time-out, one that says nothing is not', async () => {
  const upstream = startStreaming()
  const silent = startHolding()
  const running = await start({ url: upstream.url, timeoutMs: 1_000 })
  await waitUntil('the upstream has listed its tools in time', async () => {
    running.pass(MINUTE_MS)
    return (await running.list()).length > 0
  })
  const { next } = await openStream(running)
  let progress = 0
  const reporting = setInterval(() => void upstream.report({ progress: ++progress }), 100)
  onTestFinished(() => clearInterval(reporting))
  const startedAt = performance.now()
  while (performance.now() - startedAt < 2_000) await next()
  clearInterval(reporting)
  await upstream.finish()
  expect(await toResult(next)).toMatchObject({ isError: false })
  const other = await start({ url: silent.url, timeoutMs: 1_000 })
  expect(await toResult((await openStream(other)).next)).toMatchObject({
    isError: true,
    content: [
      { text: "Error executing tool hub.echo: integration 'hub' failed (timeout): it did not answer within 1 s" },
    ],
  })
})

test('of an upstream that floods its caller with reports a few are passed on, and its result comes all the same', async () => {
  const upstream = startStreaming()
  const running = await start({ url: upstream.url })
  const answering = openStream(running)
  for (let progress = 1; progress <= 5_000; progress++) await upstream.report({ progress })
  await upstream.finish()
  const { next } = await answering
  let reports = 0
  let message = await next()
  for (; message?.method !== undefined; message = await next()) reports += 1
  expect(reports).toBeLessThan(100)
  expect(message?.result).toMatchObject({ content: [{ text: 'done' }] })
})

test('reports count as bytes of the answer', async () => {
  const upstream = startStreaming()
  const running = await startGatewayWith({ timing: { ...TIMING, afterMs: 0 } }, { url: upstream.url, maxBytes: 20_000 })
  const answering = openStream(running)
  // It cannot be written to any more once it is cut off.
  for (let progress = 1; progress <= 500; progress++) await upstream.report({ progress }).catch(() => {})
  const { next } = await answering
  const refusal =
    "Error executing tool hub.echo: integration 'hub' failed (size): its answer is larger than 20000 bytes"
  expect(await toResult(next)).toMatchObject({ isError: true, content: [{ text: refusal }] })
})

test('a large result comes through the stream as it is', async () => {
  const upstream = startStreaming()
  const running = await start({ url: upstream.url, maxBytes: 16 * 2 ** 20 })
  const { next } = await openStream(running)
  const text = '漢字 🙂\n'.repeat(300_000)
  await upstream.finish(text)
  const { content } = ((await toResult(next)) ?? {}) as { content?: { text: string }[] }
  expect(content?.[0]?.text === text).toBe(true)
})

test.each(['handshake', 'stateless'] as const)(
  'a client that leaves in the middle of a stream ends the call at an upstream of the %s era',
  async (era) => {
    const upstream = startHolding(era)
    const running = await start({ url: upstream.url })
    const leaving = new AbortController()
    const { next } = await openStream(running, { signal: leaving.signal })
    expect(await next()).toMatchObject({ method: 'notifications/progress' })
    const { signal } = await upstream.started
    leaving.abort()
    await waitUntil('the request to the upstream is aborted', () => signal.aborted)
    if (era === 'handshake') await waitUntil('it is told', () => upstream.calls('notifications/cancelled').length > 0)
    await waitUntil('the place of the call is free', () => running.service.forwardedCalls.counts().atWork === 0)
  },
)

test('a call is cancelled by the notification of the client that made it, and of no other', async () => {
  const upstream = startHolding('handshake')
  const { post, ...running } = await start({ url: upstream.url })
  const notify = (requestId: unknown, agent: string) =>
    post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, { 'user-agent': agent })
  const { next } = await openStream(running, { id: 7, headers: { 'user-agent': 'one' } })
  const { signal } = await upstream.started
  for (const [id, agent] of [
    [7, 'two'],
    ['7', 'one'],
    [8, 'one'],
    [undefined, 'one'],
    [{}, 'one'],
  ] as const)
    expect((await notify(id, agent)).status).toBe(202)
  expect(await next()).toMatchObject({ method: 'notifications/progress' })
  expect([signal.aborted, upstream.calls('notifications/cancelled')]).toEqual([false, []])
  await notify(7, 'one')
  await waitUntil('the request to the upstream is aborted', () => signal.aborted)
  await waitUntil('it is told', () => upstream.calls('notifications/cancelled').length > 0)
  expect(await toResult(next)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('the call was cancelled') }],
  })
})

test('where two calls of a key have the same id, a notification cancels neither', async () => {
  const upstream = startHolding()
  const running = await start({ url: upstream.url })
  const streams = [await openStream(running), await openStream(running)]
  await running.post(
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { 'user-agent': undefined },
  )
  upstream.release()
  for (const { next } of streams) expect(await toResult(next)).toMatchObject({ isError: false })
})

test('the body of a long call counts among those in memory until the call has ended', async () => {
  const upstream = startHolding()
  const running = await start({ url: upstream.url })
  const args = { text: 'x'.repeat(1_000_000) }
  const streams = await Promise.all(Array.from({ length: 25 }, (_, id) => openStream(running, { id, args })))
  for (const { next } of streams) expect(await next()).toMatchObject({ method: 'notifications/progress' })
  const large = {
    jsonrpc: '2.0',
    id: 9,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'x'.repeat(1_000_000) } },
  }
  expect((await running.post(large)).status).toBe(429)
  upstream.release()
  for (const { next } of streams) await toResult(next)
  expect((await running.post(large)).status).toBe(200)
})

test('a call whose key is revoked while it waits for its turn is not made, and its stream says why', async () => {
  const upstream = startHolding()
  const running = await start({ url: upstream.url })
  const streams = await Promise.all(Array.from({ length: 33 }, (_, id) => openStream(running, { id })))
  await waitUntil('32 calls are under way', () => upstream.calls('tools/call').length === 32)
  await revokeKey(running.service, COMMAND_LINE, running.key)
  upstream.release()
  const last = await Promise.all(streams.map(({ next }) => toLast(next)))
  expect(last.filter(({ error }) => error !== undefined).map(({ error }) => error)).toEqual([
    { code: -32600, message: 'Unauthorized' },
  ])
  expect(upstream.calls('tools/call')).toHaveLength(32)
  expect(running.logged.join('')).not.toContain('internal error')
})

/** Connects a client of each line of the SDK, which gives a call up after three seconds without progress. */
const CLIENTS: [
  string,
  (
    url: URL,
    requestInit: RequestInit,
  ) => Promise<(name: string, args: object, onprogress: () => void) => Promise<object>>,
][] = [
  [
    '1.x',
    async (url, requestInit) => {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as Parameters<Client['connect']>[0])
      onTestFinished(() => client.close())
      return (name, args, onprogress) =>
        client.callTool({ name, arguments: { ...args } }, CallToolResultSchema, {
          timeout: 3_000,
          resetTimeoutOnProgress: true,
          onprogress,
        })
    },
  ],
  ...(['legacy', 'auto'] as const).map((mode): (typeof CLIENTS)[number] => [
    `2.x (${mode})`,
    async (url, requestInit) => {
      const client = new NewClient(
        { name: 'test', version: '1' },
        mode === 'auto' ? { versionNegotiation: { mode } } : {},
      )
      await client.connect(new NewTransport(url, { requestInit }))
      onTestFinished(() => client.close())
      return (name, args, onprogress) =>
        client.callTool({ name, arguments: { ...args } }, { timeout: 3_000, resetTimeoutOnProgress: true, onprogress })
    },
  ]),
]

test.each(CLIENTS)(
  'a call of client %s ends well that takes longer than it waits without progress',
  async (_, connect) => {
    const upstream = startHolding()
    const { url, secret, listWhenKnown } = await start({ url: upstream.url })
    await listWhenKnown()
    const call = await connect(new URL(`${url}/mcp`), { headers: { Authorization: `Bearer ${secret}` } })
    let reports = 0
    const startedAt = performance.now()
    const called = call('hub.echo', {}, () => {
      reports += 1
      if (performance.now() - startedAt > 4_000) upstream.release()
    })
    expect(await called).toMatchObject({ content: [{ type: 'text', text: 'done' }] })
    expect(reports).toBeGreaterThan(5)
  },
)

test.each(CLIENTS.slice(0, 1))(
  'client %s sees the steps of the long operation of the reference server',
  async (_, connect) => {
    const { url: everything } = await startEverything()
    const { url, secret, listWhenKnown } = await start({ url: everything })
    // Reports begin with the call, and that once the server, a process that has just begun, has listed its tools.
    await listWhenKnown()
    const call = await connect(new URL(`${url}/mcp`), { headers: { Authorization: `Bearer ${secret}` } })
    const result = await call('hub.trigger-long-running-operation', { duration: 3, steps: 2 }, () => {})
    expect(result).toMatchObject({
      content: [{ text: 'Long running operation completed. Duration: 3 seconds, Steps: 2.' }],
    })
  },
)

test('reports pass through from a server of the newest revision', async () => {
  const { url } = await startMade('sdk-2')
  const { next } = await openStream(await start({ url }), { name: 'hub.count' })
  await until(next, ({ progress, total, message }) => progress === 1 && total === 2 && message === 'one of two')
  expect(await toResult(next)).toMatchObject({ content: [{ text: 'two' }] })
})

test('reports pass through from a server of the older transport', async () => {
  const { url } = await startEverything('sse')
  const name = 'hub.trigger-long-running-operation'
  const { next } = await openStream(await start({ url }), { name, args: { duration: 2, steps: 2 } })
  await until(next, ({ progress, total }) => progress === 1 && total === 2)
  expect(await toResult(next)).toMatchObject({ isError: false })
})
