import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { changeIntegration } from '../../src/gateway/change-integration.ts'
import { rejectionOf } from '../rejection-of.ts'
import { waitUntil } from '../wait-until.ts'
import { startGateway, VERSION } from './start-gateway.ts'
import { startUpstream, tool } from './upstreams.ts'

/** Resolves once the upstream was told that nobody waits for the call any more. */
const untilCancelled = ({ calls }: ReturnType<typeof startUpstream>) =>
  waitUntil('the upstream is told of the cancellation', () => calls('notifications/cancelled').length > 0)

const writing = tool('wipe', { annotations: { readOnlyHint: false } })

test('gives back content, structured content and the error mark as they came', async () => {
  const answers = [
    {
      content: [{ type: 'text', text: 'a', annotations: { audience: ['user'] } }],
      structuredContent: { n: 1 },
      _meta: { ui: 1 },
    },
    { content: [{ type: 'text', text: 'no' }], isError: true },
    { content: [] },
  ]
  for (const era of ['stateless', 'handshake'] as const) {
    const left = [...answers]
    const upstream = startUpstream({ 'tools/call': () => left.shift() }, era)
    const { raw } = await startGateway({ url: upstream.url })
    expect(await raw('hub.echo')).toEqual({
      content: answers[0]?.content,
      structuredContent: { n: 1 },
      isError: false,
      _meta: VERSION,
    })
    expect(await raw('hub.echo')).toEqual({ content: answers[1]?.content, isError: true, _meta: VERSION })
    expect(await raw('gateway_call', { integration: 'hub', tool: 'echo' })).toEqual({
      content: [],
      isError: false,
      _meta: VERSION,
    })
  }
})

test('passes arguments on unchanged, and repeats them in headers where the tool asks for it', async () => {
  const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
  const upstream = startUpstream({ 'tools/list': () => ({ tools: [tool('echo', { inputSchema })] }) })
  const { raw } = await startGateway({ url: upstream.url })
  const args = { region: 'eu', deep: { list: [1, null, 'ü'] }, __proto__x: true }
  await raw('hub.echo', args)
  const [call] = upstream.calls('tools/call')
  expect(call?.params).toMatchObject({ name: 'echo', arguments: args })
  expect(call?.headers.get('mcp-param-region')).toBe('eu')
})

test('refuses an integer that would reach the server with other digits, and sends the largest that does not', async () => {
  const upstream = startUpstream()
  const { raw } = await startGateway({ url: upstream.url })
  const args = { deep: [{ channel: Number.MAX_SAFE_INTEGER + 1 }] }
  const through = { integration: 'hub', tool: 'echo', arguments: args }
  for (const [name, given] of [['hub.echo', args] as const, ['gateway_call', through] as const])
    expect(await raw(name, given)).toMatchObject({
      content: [{ text: expect.stringMatching(/: arguments contain an integer beyond .* send it as a string$/) }],
      isError: true,
    })
  expect(upstream.calls('tools/call')).toEqual([])
  await raw('hub.echo', { channel: Number.MAX_SAFE_INTEGER, ratio: 0.1 })
  expect(upstream.calls('tools/call')).toHaveLength(1)
})

test('leaves out structured content whose integers lost digits, if there is other content', async () => {
  const structuredContent = { rows: [{ id: Number.MAX_SAFE_INTEGER + 1 }] }
  const text = [{ type: 'text', text: '9007199254740993' }]
  const left = [
    { content: text, structuredContent },
    { content: [], structuredContent },
  ]
  const { raw } = await startGateway({ url: startUpstream({ 'tools/call': () => left.shift() }).url })
  expect(await raw('hub.echo')).toEqual({ content: text, isError: false, _meta: VERSION })
  expect(await raw('hub.echo')).toEqual({ content: [], structuredContent, isError: false, _meta: VERSION })
})

test("sends the integration's own headers and nothing of the caller's", async () => {
  const upstream = startUpstream()
  const { raw, secret, account, project } = await startGateway({
    url: upstream.url,
    headers: { Authorization: 'Bearer upstream-token', 'X-Team': 'a' },
  })
  await raw('hub.echo', { text: 'hello' })
  expect(upstream.got.length).toBeGreaterThan(2)
  for (const { headers } of upstream.got)
    expect([headers.get('authorization'), headers.get('x-team')]).toEqual(['Bearer upstream-token', 'a'])
  const all = JSON.stringify(upstream.got.map(({ headers, params }) => [headers, params]))
  for (const own of [secret, account.id, project.id]) expect(all).not.toContain(own)
})

test('refuses a tool that is not annotated read-only, unless the integration may write', async () => {
  const upstream = startUpstream({ 'tools/list': () => ({ tools: [writing, tool('echo')] }) })
  const { call, raw } = await startGateway(
    { url: upstream.url, slug: 'reads' },
    { url: upstream.url, slug: 'writes', mode: 'read-write' },
  )
  const refusal = "integration 'reads' is connected read-only, and its tool 'wipe' is not annotated as read-only"
  expect(await call('gateway_call', { integration: 'reads', tool: 'wipe' })).toBeToolError(refusal)
  expect(await raw('reads.wipe')).toMatchObject({ code: -32602 })
  expect(upstream.calls('tools/call')).toEqual([])
  expect(await raw('writes.wipe')).toMatchObject({ code: -32602 })
  expect(await call('gateway_call', { integration: 'writes', tool: 'wipe' })).toMatchObject({ isError: false })
})

test('refuses a tool that has stopped being read-only, as soon as the list it was on is too old', async () => {
  const tools = [tool('echo')]
  const upstream = startUpstream({ 'tools/list': () => ({ tools, ttlMs: 10_000 }) })
  const { call, raw, pass } = await startGateway({ url: upstream.url })
  expect(await raw('hub.echo')).toMatchObject({ isError: false })
  tools[0] = { ...tool('echo'), annotations: { readOnlyHint: false } }
  pass(10_000)
  expect(await call('hub.echo')).toBeToolError(/is not annotated as read-only$/)
  expect(upstream.calls('tools/call')).toBeArrayOfSize(1)
})

test('calls nothing while it cannot know whether a tool is still read-only', async () => {
  let down = false
  const upstream = startUpstream({
    'tools/list': () => (down ? new Response('down', { status: 503 }) : { tools: [tool('echo')] }),
  })
  const { call, raw, pass } = await startGateway({ url: upstream.url })
  expect(await raw('hub.echo')).toMatchObject({ isError: false })
  down = true
  pass(3_600_000)
  expect(await call('hub.echo')).toBeToolError("integration 'hub' failed (status): it answered with HTTP status 503")
  expect(upstream.calls('tools/call')).toBeArrayOfSize(1)
})

test('works in the grace period', async () => {
  const upstream = startUpstream()
  const { raw, service, account } = await startGateway({ url: upstream.url })
  await service.store.control.write((tx) =>
    tx.update('accounts', { id: account.id }, { subscribedUntil: service.clock.now() - 1 }),
  )
  expect(await raw('hub.echo')).toMatchObject({ isError: false })
  expect(await raw('gateway_call', { integration: 'hub', tool: 'echo' })).toMatchObject({ isError: false })
})

test('hangs up on the upstream when its caller does', async () => {
  for (const era of ['stateless', 'handshake'] as const) {
    const called = Promise.withResolvers<AbortSignal>()
    const upstream = startUpstream({ 'tools/call': ({ signal }) => new Promise(() => called.resolve(signal)) }, era)
    const { url, secret } = await startGateway({ url: upstream.url })
    const caller = new AbortController()
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hub.echo' } })
    const asked = fetch(`${url}/mcp`, { method: 'POST', headers, body, signal: caller.signal })
    const signal = await called.promise
    caller.abort()
    expect(await rejectionOf(asked)).toBeString()
    await waitUntil('the request to the upstream is aborted', () => signal.aborted)
    if (era === 'handshake') await untilCancelled(upstream)
  }
})

test('gives up on an upstream that does not answer in time, and tells it so', async () => {
  const upstream = startUpstream({ 'tools/call': () => new Promise(() => {}) }, 'handshake')
  const { call } = await startGateway({ url: upstream.url, timeoutMs: 1_000 })
  // The time to connect counts too: on a busy machine it may be over before the call was sent.
  await waitUntil('the upstream has a call', async () => {
    expect(await call('hub.echo')).toBeToolError("integration 'hub' failed (timeout): it did not answer within 1 s")
    return upstream.calls('tools/call').length > 0
  })
  await untilCancelled(upstream)
})

test.each(['stateless', 'handshake'] as const)(
  'lets a call come to its end when the integration is changed meanwhile (%s)',
  async (era) => {
    const [called, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answer = async ({ params }: { params: Record<string, unknown> }) => {
      if ((params.arguments as { wait?: boolean }).wait) {
        called.resolve()
        await released.promise
      }
      return { content: [] }
    }
    const upstream = startUpstream({ 'tools/call': answer }, era)
    const { raw, service, connect } = await startGateway()
    const integration = await connect({ url: upstream.url })
    const waiting = raw('hub.echo', { wait: true })
    await called.promise
    await changeIntegration(service, COMMAND_LINE, integration, { headers: { 'x-team': 'a' } })
    expect(await raw('hub.echo')).toEqual({ content: [], isError: false, _meta: VERSION })
    released.resolve()
    expect(await waiting).toEqual({ content: [], isError: false, _meta: VERSION })
    expect(upstream.calls('tools/call').map(({ headers }) => headers.get('x-team'))).toEqual([null, 'a'])
  },
)

test('says how large an answer may be, and stops reading there', async () => {
  const text = 'x'.repeat(5_000)
  for (const streamed of [false, true]) {
    const upstream = startUpstream({
      'tools/call': ({ id }) => {
        const message = JSON.stringify({
          jsonrpc: '2.0',
          id,
          result: { resultType: 'complete', content: [{ type: 'text', text }] },
        })
        return streamed ? events(message) : new Response(message, { headers: { 'content-type': 'application/json' } })
      },
    })
    const { call } = await startGateway({ url: upstream.url, maxBytes: 5_000 })
    expect(await call('hub.echo')).toBeToolError(
      "integration 'hub' failed (size): its answer is larger than 5000 bytes",
    )
  }
})

const events = (...messages: string[]) =>
  new Response(messages.map((message) => `data: ${message}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

test('never sends a call twice', async () => {
  const upstream = startUpstream({ 'tools/call': () => new Response('busy', { status: 503 }) })
  const { call } = await startGateway({ url: upstream.url })
  expect(await call('hub.echo')).toBeToolError("integration 'hub' failed (status): it answered with HTTP status 503")
  expect(upstream.calls('tools/call')).toBeArrayOfSize(1)
})

test('begins a new session where the upstream has forgotten the old one', async () => {
  const sessions = ['one', 'two']
  const upstream = startUpstream(
    {
      initialize: ({ id }) => {
        const result = {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        }
        return Response.json({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': sessions[0] ?? '' } })
      },
      'tools/call': ({ headers }) =>
        headers.get('mcp-session-id') === sessions[0]
          ? { content: [] }
          : new Response('no such session', { status: 404 }),
    },
    'handshake',
  )
  const { raw } = await startGateway({ url: upstream.url })
  expect(await raw('hub.echo')).toMatchObject({ isError: false })
  sessions.shift()
  expect(await raw('hub.echo')).toMatchObject({ isError: false })
  // One lists tools, the second forgot, the third took its place.
  expect(upstream.calls('initialize')).toBeArrayOfSize(3)
})

test('names the integration and the kind of failure, never its address or headers', async () => {
  const failures: Record<string, [() => unknown, string]> = {
    credentials: [() => new Response('', { status: 401 }), 'it does not accept its credentials'],
    redirect: [() => Response.redirect('https://elsewhere.example/'), 'it answered with a redirect'],
    protocol: [() => Response.json({ answer: 42 }), 'its answer is not what the protocol asks for'],
    status: [() => new Response('at 127.0.0.1', { status: 500 }), 'it answered with HTTP status 500'],
  }
  for (const [kind, [answer, text]] of Object.entries(failures)) {
    const upstream = startUpstream({ 'tools/call': answer })
    const { call } = await startGateway({ url: upstream.url })
    expect(await call('hub.echo')).toBeToolError(`integration 'hub' failed (${kind}): ${text}`)
  }
  const upstream = startUpstream({
    'tools/call': ({ id, headers }) => {
      const message = `no such thing at ${upstream.url} for ${headers.get('authorization')}`
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message } }, { status: 400 })
    },
  })
  const { call } = await startGateway({ url: upstream.url, headers: { Authorization: 'Bearer upstream-token' } })
  expect(await call('hub.echo')).toBeToolError(
    "integration 'hub' failed (protocol): it answered with error -32602: no such thing at … for …",
  )
})

test('calls no address that the operator does not allow, even if it was allowed when it was entered', async () => {
  const upstream = startUpstream()
  const { call, connect, service } = await startGateway()
  const { id } = await connect({ url: upstream.url, slug: 'inside' })
  await service.store.control.write((tx) =>
    tx.update('integrations', { id }, { url: upstream.url.replace('127.0.0.1', '127.0.0.2') }),
  )
  expect(await call('gateway_call', { integration: 'inside', tool: 'echo' })).toBeToolError(
    "integration 'inside' failed (address): its address may not be called",
  )
  expect(await call('inside.echo')).toBeToolError(/failed \(address\)/)
})

test('marks an answer that contains a credential, and passes it on all the same', async () => {
  const content = [{ type: 'text', text: 'The database is postgres://app:hunter2@db.internal/prod' }]
  const upstream = startUpstream({ 'tools/call': () => ({ content }) })
  const { raw } = await startGateway({ url: upstream.url })
  expect(await raw('hub.echo')).toEqual({
    content,
    isError: false,
    _meta: { 'memsvc/credentials': { kinds: ['url with a password'] }, ...VERSION },
  })
})
