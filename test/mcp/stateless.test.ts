import { expect, test } from 'bun:test'
import { startService } from '../start-service.ts'
import { headersFor, META, toStateless, VERSION } from './stateless-message.ts'

test('tells a client what it is in one request', async () => {
  const { post } = await startService()
  const { status, body } = await post(toStateless('server/discover'), headersFor('server/discover'))
  expect(status).toBe(200)
  expect(body?.result).toMatchObject({
    resultType: 'complete',
    supportedVersions: [VERSION],
    capabilities: { tools: {}, prompts: {} },
    ttlMs: expect.any(Number),
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'memsvc', version: '0.0.0' } },
  })
})

test('lists the same tools as with a handshake, and says how long the list holds and for whom', async () => {
  const { post } = await startService()
  const { body } = await post(toStateless('tools/list'), headersFor('tools/list'))
  const plain = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(body?.result?.tools).toEqual(plain.body?.result?.tools)
  expect(body?.result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' })
  expect(Object.keys(plain.body?.result ?? {})).toEqual(['tools'])
})

test('calls a tool', async () => {
  const { post } = await startService()
  const params = { name: 'remember', arguments: { content: 'The build runs on Bun' } }
  const { status, body } = await post(toStateless('tools/call', params), headersFor('tools/call', 'remember'))
  expect(status).toBe(200)
  expect(body?.result).toMatchObject({
    resultType: 'complete',
    isError: false,
    structuredContent: { result: { created: true }, api_version: '1.0' },
  })
})

test.each(['initialize', 'ping', 'logging/setLevel', 'resources/list', 'nonsense'])(
  'does not find %s, with 404',
  async (method) => {
    const { post } = await startService()
    expect(await post(toStateless(method), headersFor(method))).toMatchObject({
      status: 404,
      body: { id: 1, error: { code: -32601 } },
    })
  },
)

test('refuses a request that does not say its revision and capabilities', async () => {
  const { post } = await startService()
  const { 'io.modelcontextprotocol/protocolVersion': version, ...others } = META
  for (const _meta of [
    null,
    {},
    [],
    others,
    { ...META, 'io.modelcontextprotocol/protocolVersion': 7 },
    { 'io.modelcontextprotocol/protocolVersion': version },
  ]) {
    expect(await post(toStateless('tools/list', {}, _meta), headersFor('tools/list'))).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32602 } },
    })
  }
})

test('refuses another revision than its own, and names its own', async () => {
  const { post } = await startService()
  const other = { ...META, 'io.modelcontextprotocol/protocolVersion': 'v999' }
  const { status, body } = await post(toStateless('tools/list', {}, other), {
    ...headersFor('tools/list'),
    'mcp-protocol-version': 'v999',
  })
  expect(status).toBe(400)
  expect(body?.error).toMatchObject({ code: -32022, data: { supported: [VERSION], requested: 'v999' } })
})

test('refuses headers that say something else than the body', async () => {
  const { post } = await startService()
  const message = toStateless('tools/call', { name: 'search', arguments: { query: 'x' } })
  const right = headersFor('tools/call', 'search')
  for (const wrong of [
    { 'mcp-protocol-version': undefined },
    { 'mcp-protocol-version': '2025-11-25' },
    { 'mcp-method': undefined },
    { 'mcp-method': 'TOOLS/CALL' },
    { 'mcp-name': undefined },
    { 'mcp-name': 'forget' },
    { 'mcp-name': '=?base64?c2VhcmN?=' },
    { 'mcp-name': '=?base64?!!!!?=' },
  ]) {
    expect(await post(message, { ...right, ...wrong })).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32020 } },
    })
  }
  for (const name of ['search', '  search  ', '=?base64?c2VhcmNo?='])
    expect((await post(message, { ...right, 'mcp-name': name })).status).toBe(200)
})
