import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { probeIntegration } from '../../src/gateway/probe.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'
import { startGateway, VERSION } from './start-gateway.ts'
import { startEverything, startMade, startRelay } from './upstreams.ts'

const said = (text: string) => ({ content: [{ type: 'text', text }], isError: false, _meta: VERSION })

test('uses the reference server over Streamable HTTP', async () => {
  const { url } = await startEverything()
  const { listWhenKnown, raw } = await startGateway({ url, name: 'Everything', mode: 'read-write' })
  const tools = await listWhenKnown()
  expect(tools.map(({ name }) => name)).toContain('hub.echo')
  expect(tools.find(({ name }) => name === 'hub.get-sum')).toMatchObject({
    title: 'Everything (read-only): Get Sum Tool',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  })
  expect(await raw('hub.echo', { message: 'hello' })).toEqual(said('Echo: hello'))
  expect(await raw('gateway_call', { integration: 'hub', tool: 'echo', arguments: { message: 'hello' } })).toEqual(
    said('Echo: hello'),
  )
  expect(await raw('hub.get-structured-content', { location: 'New York' })).toMatchObject({
    structuredContent: { conditions: 'Cloudy' },
  })
  expect(await raw('hub.get-tiny-image')).toMatchObject({
    content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }, { type: 'text' }],
  })
  expect(await raw('hub.get-sum', { a: 'one' })).toMatchObject({ isError: true })
})

test('uses a server that speaks only the older transport of two endpoints', async () => {
  const { url } = await startEverything('sse')
  const { raw, service, connect } = await startGateway()
  const integration = await connect({ url })
  expect(await probeIntegration(service, COMMAND_LINE, integration)).toMatchObject({
    failure: undefined,
    transport: 'events',
    revision: '2025-11-25',
  })
  expect(await raw('hub.echo', { message: 'hello' })).toEqual(said('Echo: hello'))
  expect(await raw('hub.echo', { message: 'again' })).toEqual(said('Echo: again'))
})

test.each([
  ['sdk-1', '2025-11-25'],
  ['sdk-2', '2026-07-28'],
] as const)('uses a server made with %s', async (kind, revision) => {
  const { url } = await startMade(kind)
  const { raw, listWhenKnown, connect, service } = await startGateway()
  const integration = await connect({ url })
  expect(await probeIntegration(service, COMMAND_LINE, integration)).toMatchObject({
    transport: 'streamable',
    revision,
    listed: expect.arrayContaining(['hub.echo']),
    unlisted: ['wipe'],
  })
  expect((await listWhenKnown()).map(({ name }) => name)).toContain('hub.echo')
  expect(await raw('hub.echo', { text: 'hello' })).toEqual(said('hello'))
  expect(await raw('gateway_call', { integration: 'hub', tool: 'echo', arguments: { text: 'hello' } })).toEqual(
    said('hello'),
  )
})

test('uses another instance of itself', async () => {
  const other = await startService()
  await other.call('remember', { content: 'The build runs on Bun' })
  const { raw, call, connect, listWhenKnown } = await startGateway()
  await connect({ url: `${other.url}/mcp`, headers: { Authorization: `Bearer ${other.secret}` } })
  expect((await listWhenKnown()).map(({ name }) => name)).toEqual(['hub.search', 'hub.validate_memory'])
  expect(await raw('hub.search', { query: 'bun' })).toMatchObject({
    structuredContent: { result: [{ content: 'The build runs on Bun' }], project_id: other.project.id },
  })
  expect((await call('hub.search', { query: '' })).text).toBe('Error executing tool search: query must not be empty')
})

test.each(['sdk-1', 'sdk-2', 'streamableHttp', 'sse'] as const)(
  'goes on after %s was killed and started again',
  async (kind) => {
    const start = (port?: number) =>
      kind === 'sdk-1' || kind === 'sdk-2' ? startMade(kind, port) : startEverything(kind, port)
    const { url, port, kill } = await start()
    const { raw, call, list } = await startGateway({ url })
    const args = { text: 'hello', message: 'hello' }
    expect(await raw('hub.echo', args)).toMatchObject({ isError: false })
    await kill()
    expect(await call('hub.echo', args)).toBeToolError(/^integration 'hub' failed \((unreachable|broken)\): /)
    expect((await list()).map(({ name }) => name)).toContain('hub.echo')
    await start(port)
    expect(await raw('hub.echo', args)).toMatchObject({ isError: false })
  },
)

test.each(['streamableHttp', 'sse'] as const)(
  'says at once that a connection over %s broke while a call was on its way',
  async (transport) => {
    const { port, url, kill } = await startEverything(transport)
    const between = startRelay(port)
    const { call, raw } = await startGateway({ url: url.replace(String(port), String(between.port)) })
    await raw('hub.echo', { message: 'hello' })
    const called = call('hub.trigger-long-running-operation', { duration: 60, steps: 1 })
    await waitUntil('the call is on its way', () => between.sent().includes('trigger-long-running-operation'))
    await kill()
    expect(await called).toBeToolError("integration 'hub' failed (broken): the connection to it broke")
  },
)
