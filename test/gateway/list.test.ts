import { Database } from 'bun:sqlite'
import { expect, onTestFinished, test } from 'bun:test'
import { join } from 'node:path'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { disableIntegration, removeIntegration } from '../../src/gateway/integration.ts'
import { toPublishedOutput } from '../../src/gateway/mark-field.ts'
import { openService } from '../../src/service.ts'
import { embeddedTest } from '../stored-data.ts'
import { waitUntil } from '../wait-until.ts'
import { startGateway } from './start-gateway.ts'
import { startUpstream, tool } from './upstreams.ts'

const names = (tools: Record<string, unknown>[]) => tools.map(({ name }) => name)

test('frames the tools of an upstream as the contract says, and hides those that may write', async () => {
  const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
  const upstream = startUpstream({
    'tools/list': () => ({
      tools: [
        tool('write', { annotations: { readOnlyHint: false } }),
        tool('unsaid', { annotations: undefined }),
        tool('read', {
          title: 'Read a file',
          description: 'Reads',
          inputSchema: schema,
          outputSchema: schema,
          annotations: { readOnlyHint: true, idempotentHint: false, destructiveHint: true, title: 'other' },
          icons: [{ src: 'https://tracker.example/i.png' }],
          _meta: { ui: 'x' },
        }),
        tool('about', { annotations: { readOnlyHint: true, title: 'About it' } }),
      ],
    }),
  })
  const { listWhenKnown } = await startGateway({ url: upstream.url, slug: 'files', name: 'Files', mode: 'read-write' })
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
  const about = 'Files (read-only): About it'
  const read = 'Files (read-only): Read a file'
  expect(await listWhenKnown()).toEqual([
    {
      name: 'files.about',
      title: about,
      description: '',
      inputSchema: { type: 'object' },
      annotations: { title: about, ...hints },
    },
    {
      name: 'files.read',
      title: read,
      description: 'Reads',
      inputSchema: schema,
      outputSchema: toPublishedOutput(schema),
      annotations: { title: read, ...hints },
    },
  ])
})

test('gives every tool a name of at most 45 characters that clients accept, the same every time', async () => {
  const odd = ['plain-Name_1', 'dotted.name', 'x'.repeat(80), 'ünïcode tool/α', 'ünïcode tool/β']
  const upstream = startUpstream({ 'tools/list': () => ({ tools: odd.map((name) => tool(name)) }) })
  const { listWhenKnown, raw, as, org } = await startGateway({ url: upstream.url })
  const dotted = names(await listWhenKnown())
  expect(dotted).toEqual([
    'hub.dotted.name',
    'hub.plain-Name_1',
    `hub.${'x'.repeat(32)}_d929cdee`,
    'hub._n_code_tool___606be2ef',
    'hub._n_code_tool___d9019ed1',
  ])
  const { secret } = await org.issueKey({ toolNames: 'underscored' })
  const { body } = await as(secret).post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const underscored = names((body?.result?.tools ?? []) as Record<string, unknown>[]).slice(5)
  expect(underscored.filter((name) => !/^hub__[A-Za-z0-9_-]{1,40}$/.test(String(name)))).toEqual([])
  expect(new Set([...dotted, ...underscored]).size).toBe(10)
  for (const name of [...dotted, ...underscored]) expect(await raw(String(name), {})).toMatchObject({ isError: false })
  expect(
    upstream
      .calls('tools/call')
      .map(({ params }) => params.name)
      .sort(),
  ).toEqual([...odd, ...odd].sort())
})

test('shows the tools of an integration to the projects it is enabled for only', async () => {
  const upstream = startUpstream()
  const { service, project, as, connect, listWhenKnown, list, raw, org } = await startGateway()
  const integration = await connect({ url: upstream.url })
  expect(names(await listWhenKnown())).toEqual(['hub.echo'])
  const other = await org.issueKey({ project: await org.addProject('other') })
  const { post, call } = as(other.secret)
  const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(body?.result?.tools).toBeArrayOfSize(5)
  const refused = await call('gateway_call', { integration: 'hub', tool: 'echo' })
  expect(refused).toBeToolError("no integration 'hub' is enabled for this project")
  await disableIntegration(service, COMMAND_LINE, { integration, project })
  expect(await list()).toEqual([])
  expect(await raw('hub.echo')).toMatchObject({ code: -32602, message: 'Unknown tool: hub.echo' })
  await removeIntegration(service, COMMAND_LINE, integration)
  expect(upstream.calls('tools/call')).toEqual([])
})

test('lists integrations by slug, and only the tools that were picked', async () => {
  const upstream = startUpstream({ 'tools/list': () => ({ tools: ['b', 'c', 'a'].map((name) => tool(name)) }) })
  const { list, listWhenKnown, call } = await startGateway(
    { url: upstream.url, slug: 'zoo' },
    { url: upstream.url, slug: 'ant', tools: ['a', 'c', 'gone'] },
  )
  await listWhenKnown()
  await call('zoo.a')
  await call('ant.a')
  expect(names(await list())).toEqual(['ant.a', 'ant.c', 'zoo.a', 'zoo.b', 'zoo.c'])
  expect(await call('gateway_call', { integration: 'ant', tool: 'b' })).toBeToolError(
    "integration 'ant' has no tool 'b'",
  )
  expect((await call('gateway_call', { integration: 'ant' })).text).toMatch(
    /^Tools of integration 'ant', as its server describes them:\n- c\(\): \n- a\(/,
  )
  expect(await call('gateway_call', { integration: 'bee', tool: 'a' })).toBeToolError(
    "no integration 'bee' is enabled for this project",
  )
})

test('asks again when the list is older than its upstream said, once for all who ask, and shows the old one meanwhile', async () => {
  const second = Promise.withResolvers<void>()
  const upstream = startUpstream({
    'tools/list': async () => {
      const first = upstream.calls('tools/list').length === 1
      if (!first) await second.promise
      return { tools: first ? [tool('first'), tool('second')] : [tool('second')], ttlMs: 600_000 }
    },
  })
  const { list, listWhenKnown, pass } = await startGateway({ url: upstream.url })
  expect(names(await listWhenKnown())).toEqual(['hub.first', 'hub.second'])
  pass(299_000)
  await list()
  expect(upstream.calls('tools/list')).toBeArrayOfSize(1)
  pass(302_000)
  const shown = await Promise.all([list(), list(), list()])
  expect(shown.map((list) => list.length)).toEqual([2, 2, 2])
  second.resolve()
  await waitUntil('the second list is known', async () => names(await list())[0] !== 'hub.first')
  expect(names(await list())).toEqual(['hub.second'])
  expect(upstream.calls('tools/list')).toBeArrayOfSize(2)
})

test('does not wait for an upstream that says nothing, and shows its tools when it does', async () => {
  const silent = Promise.withResolvers<object>()
  const upstream = startUpstream({ 'server/discover': () => silent.promise })
  const well = startUpstream()
  const { list, listWhenKnown } = await startGateway(
    { url: upstream.url, slug: 'silent' },
    { url: well.url, slug: 'well' },
  )
  expect(names(await listWhenKnown())).toEqual(['well.echo'])
  silent.resolve({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
  await waitUntil('both servers are known', async () => (await list()).length === 2)
  expect(names(await list())).toEqual(['silent.echo', 'well.echo'])
})

test('shows the last known list of an upstream that is down, also after a restart of the service', async () => {
  const upstream = startUpstream()
  const { list, listWhenKnown, pass, service, secret } = await startGateway({ url: upstream.url })
  await listWhenKnown()
  await upstream.stop()
  pass(3_600_000)
  expect(names(await list())).toEqual(['hub.echo'])
  const next = await openService(service)
  onTestFinished(next.close)
  const [shown] = await next.gateway.list(await authenticate(next, `Bearer ${secret}`))
  expect(JSON.parse(shown ?? '')).toMatchObject({ name: 'hub.echo' })
})

embeddedTest('a table that another process takes away')(
  'reads the last known list again after it could not be read once',
  async () => {
    const upstream = startUpstream()
    const { listWhenKnown, service, secret } = await startGateway({ url: upstream.url })
    await listWhenKnown()
    await upstream.stop()
    const next = await openService(service)
    onTestFinished(next.close)
    const caller = await authenticate(next, `Bearer ${secret}`)
    using database = new Database(join(service.config.dataDir, 'control.db'))
    database.run('alter table tool_lists rename to away')
    expect(await next.gateway.list(caller)).toEqual([])
    database.run('alter table away rename to tool_lists')
    expect(await next.gateway.list(caller)).toBeArrayOfSize(1)
  },
)

test('no half of a character reaches a client, since many cannot read a message that contains one', async () => {
  const half = '\ud83d'
  const schema = {
    type: 'object',
    properties: { [half]: { description: `cut${half}` }, both: { const: `\\ud83d 😀` } },
  }
  const upstream = startUpstream({
    'tools/list': () => ({
      tools: [tool('echo', { title: `${'x'.repeat(199)}😀`, inputSchema: schema, outputSchema: schema })],
    }),
    'tools/call': () => ({
      content: [{ type: 'text', text: `cut${half}` }],
      structuredContent: { [half]: `\\ud83d 😀` },
    }),
  })
  const { listWhenKnown, raw, call } = await startGateway({ url: upstream.url })
  const [shown] = await listWhenKnown()
  expect(JSON.stringify(shown)).not.toMatch(/[^\\]\\ud/)
  expect(shown).toMatchObject({
    inputSchema: { properties: { '\ufffd': { description: 'cut\ufffd' }, both: { enum: ['\\ud83d 😀'] } } },
  })
  expect(await raw('hub.echo')).toMatchObject({
    content: [{ text: 'cut\ufffd' }],
    structuredContent: { '\ufffd': '\\ud83d 😀' },
  })
  const unknown = await call('gateway_call', { integration: 'hub', tool: `${'x'.repeat(127)}😀` })
  expect(unknown).toBeToolError(`integration 'hub' has no tool '${'x'.repeat(127)}\ufffd'`)
})
