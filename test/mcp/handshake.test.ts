import { expect, test } from 'bun:test'
import { startService } from '../start-service.ts'

const request = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })

test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
  'agrees to revision %s',
  async (protocolVersion) => {
    const { post } = await startService()
    const { body } = await post(
      request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }),
    )
    expect(body?.result).toMatchObject({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'memsvc', version: '0.0.0' },
    })
    expect((await post(request('tools/list'), { 'mcp-protocol-version': protocolVersion })).status).toBe(200)
  },
)

test('says that the list of tools is announced only to a client behind the local agent, which announces it', async () => {
  const { post } = await startService()
  const initialize = request('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
  const direct = await post(initialize)
  const relayed = await post(initialize, { 'memsvc-agent': '0.1.0' })
  expect(direct.body?.result?.capabilities).toEqual({ tools: {}, prompts: {} })
  expect(relayed.body?.result?.capabilities).toEqual({ tools: { listChanged: true }, prompts: {} })
})

test('offers its newest revision with a handshake to a client that asks for an unknown or newer one', async () => {
  const { post } = await startService()
  for (const protocolVersion of ['1999-01-01', '2026-07-28']) {
    const { body } = await post(request('initialize', { protocolVersion, capabilities: {} }), {
      'mcp-protocol-version': protocolVersion === '2026-07-28' ? protocolVersion : undefined,
    })
    expect(body?.result?.protocolVersion).toBe('2025-11-25')
  }
})

test('refuses a handshake that names no revision', async () => {
  const { post } = await startService()
  for (const params of [{ capabilities: {} }, { protocolVersion: 5, capabilities: {} }])
    expect((await post(request('initialize', params))).body?.error).toEqual({
      code: -32602,
      message: 'Invalid params: protocolVersion must be a string',
    })
})

test('refuses a revision it does not know, and says which one it offers without a handshake', async () => {
  const { post } = await startService()
  const { status, body } = await post(request('tools/list'), { 'mcp-protocol-version': '2030-01-01' })
  expect(status).toBe(400)
  expect(body?.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested: '2030-01-01' } })
})

test.each([0, -1, 7, Number.MAX_SAFE_INTEGER, 'a', '', '9007199254740993', '☃\u0000'])(
  'echoes the id %p exactly',
  async (id) => {
    const { post } = await startService()
    const { body } = await post(request('ping', undefined, id))
    expect(body).toEqual({ jsonrpc: '2.0', id, result: {} })
  },
)

test.each(['9007199254740993', '1e300', '1e400', '1.5', 'null', 'true', '{}', '[1]'])(
  'refuses the id %s rather than change it',
  async (id) => {
    const { post } = await startService()
    const { status, body } = await post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ id: null, error: { code: -32600 } })
  },
)

test('takes notifications and responses with 202 and no body, and runs nothing for them', async () => {
  const { post, call } = await startService()
  const save = { name: 'remember', arguments: { content: 'never saved' } }
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'tools/call', params: save },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  ]) {
    expect(await post(message)).toMatchObject({ status: 202, body: undefined })
  }
  expect(await call('search', { query: 'saved' })).toBeToolError("workspace 'default' is not active")
})

test('refuses batches, even of one or none', async () => {
  const { post } = await startService()
  for (const batch of [[], [request('ping')], [request('ping'), request('tools/list', {}, 2)]]) {
    expect(await post(batch)).toMatchObject({ status: 400, body: { id: null, error: { code: -32600 } } })
  }
})

test.each(['resources/list', 'server/discover', 'logging/setLevel', 'toString', '__proto__', ''])(
  'does not find the method %p',
  async (method) => {
    const { post } = await startService()
    expect(await post(request(method))).toMatchObject({
      status: 200,
      body: { id: 1, error: { code: -32601, message: 'Method not found' } },
    })
  },
)

test('has one page of tools', async () => {
  const { post } = await startService()
  expect((await post(request('tools/list', { cursor: 'x' }))).body?.error?.code).toBe(-32602)
  expect((await post(request('tools/list', { cursor: null }))).body?.result?.tools).toHaveLength(5)
})

test('ignores a session id and opens none', async () => {
  const { post } = await startService()
  const { status, headers } = await post(request('tools/list'), { 'mcp-session-id': 'left-over' })
  expect(status).toBe(200)
  expect(headers.get('mcp-session-id')).toBeNull()
})
