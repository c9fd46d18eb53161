import { expect, test } from 'bun:test'
import { startService } from '../start-service.ts'

test('answers what is no JSON with a parse error, and lives', async () => {
  const { post, logged } = await startService()
  for (const text of ['', '{', 'null,', "{'a':1}", '[1', '\u0000', '{"jsonrpc":"2.0","id":1,"method":"ping"}}']) {
    expect(await post(text)).toMatchObject({ status: 400, body: { id: null, error: { code: -32700 } } })
  }
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200)
  expect(logged).toEqual([])
})

/** Posts a ping whose id consists of these bytes, after the bytes `first`. */
async function postBytes({ url, secret }: { url: string; secret: string }, bytes: number[], first: number[] = []) {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const encode = (text: string) => [...new TextEncoder().encode(text)]
  const body = new Uint8Array([
    ...first,
    ...encode('{"jsonrpc":"2.0","id":"'),
    ...bytes,
    ...encode('","method":"ping"}'),
  ])
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as { id: unknown; error?: { code: number } } }
}

test('answers bytes that are no UTF-8 with a parse error rather than store something else', async () => {
  const service = await startService()
  for (const bytes of [
    [0xff, 0xc3],
    [0x80],
    [0xc0, 0x80],
    [0xc3],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f],
    [0xf5, 0x80, 0x80, 0x80],
  ]) {
    expect(await postBytes(service, bytes)).toMatchObject({ status: 400, body: { error: { code: -32700 } } })
    expect(await postBytes(service, [0xef, 0xbf, 0xbd, ...bytes])).toMatchObject({ status: 400 })
  }
})

test('reads every character that is UTF-8, that for what cannot be read among them, and passes over a mark before the text', async () => {
  const service = await startService()
  for (const id of ['\u{fffd}', 'é\u{fffd}字😀', '字'.repeat(1_000)]) {
    const bytes = [...new TextEncoder().encode(id)]
    expect(await postBytes(service, bytes)).toMatchObject({ status: 200, body: { id } })
    expect(await postBytes(service, bytes, [0xef, 0xbb, 0xbf])).toMatchObject({ status: 200, body: { id } })
  }
})

test('answers JSON that is no message with an invalid request, under its id where it has one', async () => {
  const { post } = await startService()
  for (const message of [
    '5',
    'null',
    '"x"',
    '{}',
    '{"jsonrpc":"1.0","id":5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":5}',
    '{"jsonrpc":"2.0","id":5,"method":5}',
  ]) {
    const id = message.includes('"id":5') ? 5 : null
    expect(await post(message)).toMatchObject({ status: 400, body: { id, error: { code: -32600 } } })
  }
  for (const params of ['[]', 'null', '"x"', '1']) {
    expect(await post(`{"jsonrpc":"2.0","id":5,"method":"ping","params":${params}}`)).toMatchObject({
      status: 400,
      body: { id: 5, error: { code: -32600 } },
    })
  }
})

test('refuses deep nesting, of lists and of objects', async () => {
  const { post } = await startService()
  const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  for (const deep of [lists(65), lists(500_000), objects(65), objects(150_000)]) {
    for (const text of [
      deep,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${deep.slice(0, 900_000)}}}`,
    ]) {
      expect((await post(text)).status).toBe(400)
    }
  }
  expect((await post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${lists(60)}}}`)).status).toBe(200)
})

test('is not misled by duplicate keys or by __proto__', async () => {
  const { post, call } = await startService()
  const { body } = await post(
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"nonsense","method":"ping","params":{"__proto__":{"cursor":"x"}}}',
  )
  expect(body).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
  const polluted = JSON.parse('{"query":"x","__proto__":{"limit":1}}') as Record<string, unknown>
  expect(await call('search', polluted)).toBeToolError(/^__proto__ is not an argument/)
  expect(({} as Record<string, unknown>).limit).toBeUndefined()
})

test('survives an upload that stops in the middle', async () => {
  const { url, secret, post } = await startService()
  const { hostname, port } = new URL(url)
  const closed = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: () => {}, close: () => closed.resolve() },
  })
  const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{"jsonrpc"`)
  socket.end()
  await closed.promise
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200)
})
