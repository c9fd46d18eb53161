import { expect, onTestFinished, test } from 'bun:test'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { createCatalogue, type Integrations, type Tool } from '../../src/mcp/catalogue.ts'
import { dispatch } from '../../src/mcp/dispatch.ts'
import { PROGRESS_TIMING } from '../../src/mcp/progress.ts'
import { createMcpContext } from '../../src/mcp/request.ts'
import type { Account } from '../../src/store/account.ts'
import { openStore } from '../../src/store/open-store.ts'
import { tools } from '../../src/tools/index.ts'
import { rememberAs } from '../as-caller.ts'
import { startService } from '../start-service.ts'

const request = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })

type Running = Awaited<ReturnType<typeof startService>>

const change = ({ service, account }: Running, to: Partial<Account>) =>
  service.store.control.write((tx) => tx.update('accounts', { id: account.id }, to))

const echo: Tool = {
  name: 'hub.echo',
  access: 'gateway',
  listed: { keyed: '{"name":"hub.echo","inputSchema":{"type":"object"}}', hosted: '' },
  readArguments: (args) => args,
  run: async ({ args }) => ({
    forwarded: {
      text: JSON.stringify({ content: [{ type: 'text', text: String(args.say) }], isError: args.fail === true }),
    },
  }),
}

const hub: Integrations = {
  list: async () => [echo.listed.keyed],
  find: async (_, name) => (name === echo.name ? echo : undefined),
}

/** Sends a message as a hosted connection, without going through OAuth. */
async function askHosted({ service, secret }: Running, method: string, params: unknown) {
  const caller = { ...(await authenticate(service, `Bearer ${secret}`)), hosted: true }
  const catalogue = createCatalogue(Object.values(tools.decorator.catalogue), hub)
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const signal = () => new AbortController().signal
  const post = { caller, identify: async () => caller, headers: new Headers(), text, uncountedBytes: 0, signal }
  const reply = await dispatch(createMcpContext(service, catalogue, PROGRESS_TIMING), post)
  return 'body' in reply ? String(reply.body) : 'a stream'
}

test('a result has the identity of its project beside it, and the same JSON as text', async () => {
  const { call, account, project } = await startService()
  const { isError, text, structured } = await call('remember', { content: 'The build runs on Bun' })
  expect(isError).toBe(false)
  expect(structured).toEqual({
    result: expect.anything(),
    api_version: '1.0',
    tenant_id: account.id,
    project_id: project.id,
  })
  expect(JSON.parse(text)).toEqual(structured)
})

test('gives a hint beside an empty result only', async () => {
  const { call } = await startService()
  await call('remember', { content: 'The build runs on Bun' })
  expect((await call('search', { query: 'zebra' })).structured).toMatchObject({
    result: [],
    hint: { words: ['zebra'] },
  })
  expect((await call('search', { query: 'bun' })).structured).not.toHaveProperty('hint')
})

test.each(['nope', 'Search', '', '__proto__', 'constructor', 'hub.echo'])(
  'answers -32602 to a call of the unknown tool %p',
  async (name) => {
    const { post } = await startService()
    const { status, body } = await post(request({ name, arguments: {} }))
    expect(status).toBe(200)
    expect(body?.error).toEqual({ code: -32602, message: `Unknown tool: ${name}` })
  },
)

test('refuses a call without a name, or with arguments that are no object', async () => {
  const { post } = await startService()
  for (const params of [
    undefined,
    {},
    { name: 1 },
    { name: 'search', arguments: [] },
    { name: 'search', arguments: null },
    { name: 'search', arguments: 'x' },
  ]) {
    expect((await post(request(params))).body?.error?.code).toBe(-32602)
  }
})

test('takes numbers, lists and objects that a model quoted, and as many records as there may be', async () => {
  const { call, post } = await startService()
  for (let at = 0; at < 52; at++) await call('remember', { content: `tide number ${at}` })
  const found = async (args: Record<string, unknown>) => (await call('search', args)).structured?.result
  expect(await found({ query: 'tide', limit: '5' })).toHaveLength(5)
  expect(await found({ query: 'tide', limit: 100 })).toHaveLength(50)
  expect(await found({ query: 'ebb', also: '["tide"]', exclude_stale: 'true' })).toHaveLength(10)
  const { body } = await post(request({ name: 'search', arguments: '{"query":"tide","limit":2}' }))
  expect(body?.result).toMatchObject({ structuredContent: { result: [{}, {}] } })
  expect(await call('search', { query: '5' })).toMatchObject({ isError: false })
})

test('what a model quoted is bounded as the message is, in depth and in values', async () => {
  const { post } = await startService()
  for (const inner of [`${'['.repeat(64)}${']'.repeat(64)}`, `[${'1,'.repeat(10_000)}1]`]) {
    const { body } = await post(request({ name: 'search', arguments: `{"query":"tide","also":${inner}}` }))
    expect(body?.error).toMatchObject({ code: -32602, message: 'Invalid params: arguments must be an object' })
  }
})

test('names the argument that is wrong', async () => {
  const { call } = await startService()
  const cases: [string, Record<string, unknown>, string][] = [
    ['search', {}, 'query is required'],
    ['search', { query: 7 }, 'query must be a string'],
    ['search', { query: null }, 'query must be a string'],
    ['search', { query: 'x', limit: 1.5 }, 'limit must be an integer'],
    ['search', { query: 'x', limit: '5x' }, 'limit must be an integer'],
    ['search', { query: 'x', limit: 0 }, 'limit must be at least 1'],
    ['search', { query: 'x', exclude_stale: 'yes' }, 'exclude_stale must be a boolean'],
    ['search', { query: 'x', scope: 'everyone' }, 'scope must be one of shared, department, draft'],
    [
      'search',
      { query: 'x', colour: 1 },
      'colour is not an argument; there are query, also, limit, offset, workspace, scope, exclude_stale, source_id, fact_key, author, status, since, until',
    ],
    [
      'search',
      { query: 'x', Wokspace: '*' },
      'Wokspace is not an argument; did you mean workspace? There are query, also, limit, offset, workspace, scope, exclude_stale, source_id, fact_key, author, status, since, until',
    ],
    [
      'search',
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`u/${i}`, i])),
      'u/0 is not an argument; there are query, also, limit, offset, workspace, scope, exclude_stale, source_id, fact_key, author, status, since, until',
    ],
    ['search', { query: 'x\u0000' }, 'query must not contain the character NUL'],
    ['search', { query: 'x\ud800' }, 'query must be well-formed Unicode text'],
    ['remember', { content: 'x', fact_key: '' }, 'fact_key must not be empty'],
    ['remember', { content: 'x', fact_key: 'k'.repeat(129) }, 'fact_key must be at most 128 characters'],
    ['remember', { content: ['x'] }, 'content must be a string'],
    ['remember', { content: 'x\u0000' }, 'content must not contain the character NUL'],
    ['remember', { content: '\u200b \u2060\ufeff' }, 'content must not be empty'],
    ['validate_memory', {}, 'source_id is required'],
    ['validate_memory', { source_id: ' ' }, 'source_id must not be empty'],
    ['validate_memory', { source_id: 'a', source_hash: '' }, 'source_hash must not be empty'],
    ['forget', { id: 5 }, 'id must be a string'],
    ['gateway_call', { integration: 'hub', tool: 'x', arguments: [] }, 'arguments must be an object'],
  ]
  for (const [tool, args, reason] of cases) expect(await call(tool, args)).toBeToolError(reason)
})

test('gateway_call is refused where the project has no integration', async () => {
  const { call } = await startService()
  const refused = await call('gateway_call', { integration: 'hub', tool: 'get_me', arguments: { any: { thing: 1 } } })
  expect(refused).toBeToolError("no integration 'hub' is enabled for this project")
})

test('checks the tool, then the rate limits, then the subscription, then the arguments', async () => {
  const running = await startService()
  const { call, post, pass } = running
  await change(running, { limits: { callsPerKey: 2 }, subscribedAt: null })
  expect((await post(request({ name: 'nope' }))).body?.error?.code).toBe(-32602)
  for (let i = 0; i < 2; i++) {
    const { isError, text } = await call('search', {})
    expect([isError, text.startsWith('[Service Notice]: This account has no active subscription')]).toEqual([
      true,
      true,
    ])
  }
  expect(await call('search', {})).toBeToolError('MCP rate limit exceeded (2 calls in 60 s); try again in 60 s')
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).body?.result?.tools).toBeArrayOfSize(5)
  pass(60_000)
  await change(running, { subscribedAt: 0 })
  expect(await call('search', {})).toBeToolError('query is required')
})

test('counts the calls of all keys of a project together', async () => {
  const running = await startService()
  await change(running, { limits: { callsPerProject: 1 } })
  await running.call('search', { query: 'x' })
  expect(await running.call('search', { query: 'x' })).toBeToolError(
    'project call limit exceeded (1 calls in 60 s); try again in 60 s',
  )
})

test('reads but does not write in the grace period', async () => {
  const running = await startService()
  const { call, service } = running
  await call('remember', { content: 'The build runs on Bun' })
  await change(running, { subscribedUntil: service.clock.now() - 1 })
  expect((await call('search', { query: 'bun' })).isError).toBe(false)
  const { isError, text } = await call('remember', { content: 'x' })
  expect(isError).toBe(true)
  expect(text).toStartWith(
    "[Service Notice]: The account's subscription has expired. Memory is read-only during the grace period",
  )
})

test('lists and calls the tools of integrations beside its own, and passes their answers on as they are', async () => {
  const { post } = await startService({ integrations: hub })
  const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const names = ['remember', 'search', 'forget', 'validate_memory', 'gateway_call', 'hub.echo']
  expect(body?.result).toEqual({ tools: names.map((name) => expect.objectContaining({ name })) })
  const said = await post(request({ name: 'hub.echo', arguments: { say: 'hello', fail: true } }))
  expect(said.body?.result).toEqual({
    content: [{ type: 'text', text: 'hello' }],
    isError: true,
    _meta: { api_version: '1.0' },
  })
})

test('every result for a key carries the version: its own in the structured answer, a refusal, a notice and an answer of another server in _meta', async () => {
  const running = await startService({ integrations: hub })
  const resultOf = async (name: string, args: object) =>
    (await running.post(request({ name, arguments: args }))).body?.result
  expect(await resultOf('remember', { content: 'The build runs on Bun' })).toMatchObject({
    structuredContent: { api_version: '1.0' },
  })
  expect(await resultOf('hub.echo', { say: 'hello' })).toMatchObject({ isError: false, _meta: { api_version: '1.0' } })
  expect(await resultOf('remember', { content: '' })).toMatchObject({ isError: true, _meta: { api_version: '1.0' } })
  await change(running, { subscribedAt: null })
  expect(await resultOf('search', { query: 'bun' })).toMatchObject({ isError: true, _meta: { api_version: '1.0' } })
})

test('an optional argument that is null is left out; a required one is refused', async () => {
  const { call } = await startService()
  const nothing = { fact_key: null, workspace: null, scope: null, source_id: null, source_hash: null, expires_at: null }
  const saved = await call('remember', { content: 'The build runs on Bun', ...nothing })
  expect(saved.structured).toMatchObject({
    result: { workspace: 'default', scope: 'shared', fact_key: 'the-build-runs-on-bun' },
  })
  const found = await call('search', { query: 'bun', limit: null, workspace: null, scope: null, exclude_stale: null })
  expect(found.structured?.result).toBeArrayOfSize(1)
  expect(await call('search', { query: null })).toBeToolError('query must be a string')
  expect(await call('search', { query: 'bun', colour: null })).toBeToolError(/^colour is not an argument/)
})

test('neither shows nor runs the gateway for a hosted caller', async () => {
  const running = await startService()
  expect(await askHosted(running, 'tools/list', {})).not.toMatch(/gateway_call|hub\.echo/)
  for (const name of ['gateway_call', 'hub.echo']) {
    expect(JSON.parse(await askHosted(running, 'tools/call', { name, arguments: {} }))).toMatchObject({
      error: { code: -32602, message: `Unknown tool: ${name}` },
    })
  }
})

test('has no prompts for a hosted caller, and does not say that it has', async () => {
  const running = await startService()
  for (const method of ['prompts/list', 'prompts/get'])
    expect(JSON.parse(await askHosted(running, method, { name: 'recall' }))).toMatchObject({ error: { code: -32601 } })
  const { result } = JSON.parse(await askHosted(running, 'initialize', { protocolVersion: '2025-11-25' }))
  expect(result.capabilities).toEqual({ tools: {} })
})

test('results for a hosted caller hold no account, project and version', async () => {
  const running = await startService()
  const saved = await askHosted(running, 'tools/call', {
    name: 'remember',
    arguments: { content: 'The build runs on Bun' },
  })
  const found = await askHosted(running, 'tools/call', { name: 'search', arguments: { query: 'bun' } })
  expect(JSON.parse(saved).result.structuredContent).toEqual({ result: expect.objectContaining({ created: true }) })
  expect(JSON.parse(found).result.structuredContent.result).toBeArrayOfSize(1)
  const refused = await askHosted(running, 'tools/call', { name: 'remember', arguments: { content: '' } })
  expect(JSON.parse(refused).result.isError).toBe(true)
  expect(saved + found + refused).not.toMatch(/tenant_id|project_id|api_version/)
})

test('a cached answer is rendered for each caller in the form that is meant for it', async () => {
  const running = await startService()
  const asked = { query: 'bun' }
  await running.call('remember', { content: 'The build runs on Bun' })
  const first = await running.call('search', asked)
  const hosted = await askHosted(running, 'tools/call', { name: 'search', arguments: asked })
  expect(hosted).toContain('The build runs on Bun')
  expect(hosted).not.toMatch(/tenant_id|project_id|api_version/)
  expect(await running.call('search', asked)).toEqual(first)
  expect(first.structured).toMatchObject({
    tenant_id: running.account.id,
    project_id: running.project.id,
    api_version: '1.0',
  })
})

test('no answer is taken from the cache after another process has changed the project or revoked the key', async () => {
  const { call, post, service, secret } = await startService()
  await call('remember', { content: 'The build runs on Bun' })
  for (let time = 0; time < 2; time++)
    expect((await call('search', { query: 'bun' })).structured?.result).toBeArrayOfSize(1)
  const beside = { ...service, store: await openStore(service.config, service.clock) }
  onTestFinished(() => beside.store.close())
  const caller = await authenticate(beside, `Bearer ${secret}`)
  await rememberAs(beside, caller, { content: 'Bun is checked every night' })
  expect((await call('search', { query: 'bun' })).structured?.result).toBeArrayOfSize(2)
  await beside.store.control.write((tx) => tx.update('keys', { id: caller.keyId }, { revokedAt: service.clock.now() }))
  expect((await post(request({ name: 'search', arguments: { query: 'bun' } }))).status).toBe(401)
})

test('ten records with 1 167 bytes of content are an answer of at most 3 900 bytes, and no field of them is null', async () => {
  const { call } = await startService()
  const text =
    'the build of the web front end runs on Bun, and its releases go out every Tuesday after the review of the week'
  for (let at = 0; at < 10; at++) await call('remember', { content: `${at} ${text}`.padEnd(at < 7 ? 117 : 116, '.') })
  const found = await call('search', { query: 'what does the build run on' })
  const records = found.structured?.result as Record<string, unknown>[]
  expect(records.reduce((bytes, { content }) => bytes + String(content).length, 0)).toBe(1_167)
  expect(Buffer.byteLength(found.text)).toBeLessThanOrEqual(3_900)
  expect(found.text).not.toContain('null')
})
