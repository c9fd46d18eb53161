import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { waitUntil } from '../../wait-until.ts'
import { json, startAgent, startEndpoint } from '../start-agent.ts'

const RESULT = '{"ok":true}'
const toAnswer = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":${RESULT}}`
const idOf = (body: string) => /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[\d.eE+-]+)/.exec(body)?.[1] ?? 'null'

test.each([
  [
    'integers beyond 2^53, floats, exponents',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":12345678901234567890,"b":1.0,"c":1e400,"d":-0}}',
  ],
  [
    'a member twice, and numeric names out of order',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"dup":1,"dup":2,"10":"a","2":"b"}}',
  ],
  [
    'escapes as they were written',
    '{"jsonrpc":"2.0","id":1,"method":"\\u0078","params":{"a":"\\u00e9\\/\\ud83d\\ude00 \\ud800"}}',
  ],
  ['white space between values', '  { "jsonrpc" : "2.0" ,\t"id" : 1 , "method" : "x" }  '],
  [
    'members that nobody knows',
    '{"extra":[null,{}],"jsonrpc":"2.0","id":1,"method":"no/such","params":{"x":{"y":[]}},"zzz":0}',
  ],
  [
    'odd Unicode',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\u2028\u2029\ufeff\u202e👩‍👩‍👧‍👦é\u0000"}}'.replace(
      '\u0000',
      '',
    ),
  ],
])('sends a line up byte for byte, and the answer down: %s', async (_what, line) => {
  const answer = `{"result":${line.trim()},"id":1,"jsonrpc":"2.0"}`
  const { url, heard } = startEndpoint(() => json(answer))
  const { send, lines } = await startAgent({ endpoint: url })
  await send(line)
  await waitUntil('the answer', () => lines.length > 0)
  expect([heard[0]?.body, lines]).toEqual([line, [answer]])
})

test('sends bytes that are no UTF-8 as they are', async () => {
  const { url, heard } = startEndpoint(() => json('{"jsonrpc":"2.0","id":1,"result":{}}'))
  const { send, lines } = await startAgent({ endpoint: url })
  const line = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"'),
    Buffer.of(0xff, 0xfe, 0xc0),
    Buffer.from('"}}'),
  ])
  await send(line)
  await waitUntil('the answer', () => lines.length > 0)
  expect(Buffer.from(heard[0]?.bytes ?? []).equals(line)).toBe(true)
})

test('any message goes up and down unchanged, whatever its id and members', async () => {
  const { url, heard } = startEndpoint(({ body }) => json(toAnswer(idOf(body))))
  const { send, lines } = await startAgent({ endpoint: url })
  const ids = fc.oneof(
    fc.integer(),
    fc.string(),
    fc.constantFrom(0, '', '0', -1, 2 ** 52),
    fc.bigInt().map((big) => ({ raw: `${big}` })),
  )
  await fc.assert(
    fc.asyncProperty(ids, fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), async (id, method, params) => {
      const text = typeof id === 'object' ? id.raw : JSON.stringify(id)
      const line = `{"id":${text},"jsonrpc":"2.0","method":${JSON.stringify(`x${method}`)},"params":${JSON.stringify(params)}}`
      const before = lines.length
      await send(line)
      await waitUntil('the answer', () => lines.length > before)
      expect(heard.at(-1)?.body).toBe(line)
      expect(lines.at(-1)).toBe(toAnswer(text))
    }),
    { numRuns: 200 },
  )
})

test('makes one line of an answer that is written over several', async () => {
  const { url } = startEndpoint(() =>
    json('{\r\n  "jsonrpc": "2.0",\n  "id": 1,\n  "result": {"text": "a\\nb"}\r\n}\n'),
  )
  const { send, lines } = await startAgent({ endpoint: url })
  await send('{"jsonrpc":"2.0","id":1,"method":"x"}')
  await waitUntil('the answer', () => lines.length > 0)
  expect(lines).toEqual(['{    "jsonrpc": "2.0",   "id": 1,   "result": {"text": "a\\nb"}  } '])
})

test('takes lines however they arrive: in pieces, several at once, with CR LF, blank ones between, the last without an end', async () => {
  const { url, heard } = startEndpoint(({ body }) => json(toAnswer(idOf(body))))
  const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"p","params":{"a":"é"}}`
  const text = `${ping(1)}\r\n\n${ping(2)}\n   \n${ping(3)}`
  const input = async function* () {
    for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
  }
  const { lines, done } = await startAgent({ endpoint: url, input: input() })
  await done
  expect(heard.map(({ body }) => body).sort()).toEqual([ping(1), ping(2), ping(3)])
  expect(lines.sort()).toEqual(['1', '2', '3'].map(toAnswer))
})

test('carries a message of 20 MB up and an answer of 20 MB down', async () => {
  const text = 'é'.repeat(10 * 2 ** 20)
  const answer = `{"jsonrpc":"2.0","id":1,"result":{"text":"${text}"}}`
  const { url, heard } = startEndpoint(() => json(answer))
  const { send, lines } = await startAgent({ endpoint: url })
  const line = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"text":"${text}"}}`
  await send(line)
  await waitUntil('the answer', () => lines.length > 0)
  expect(heard[0]?.body === line).toBe(true)
  expect(lines[0] === answer).toBe(true)
})

test('answers a line that is too long, and goes on', async () => {
  const { url, heard } = startEndpoint(({ body }) => json(toAnswer(idOf(body))))
  const { send, answerTo } = await startAgent({ endpoint: url })
  await send(`{"jsonrpc":"2.0","id":"long","method":"x","params":"${'x'.repeat(64 * 2 ** 20)}"}`)
  await send('{"jsonrpc":"2.0","id":2,"method":"x"}')
  expect((await answerTo('long')).error).toMatchObject({ code: 1413, data: { origin: 'memsvc-agent' } })
  expect((await answerTo(2)).result).toEqual({ ok: true })
  expect(heard).toBeArrayOfSize(1)
})

test('says who sends, and repeats in headers what the stateless era wants repeated', async () => {
  const { url, heard } = startEndpoint(({ body }) => json(toAnswer(idOf(body))))
  const { ask } = await startAgent({ endpoint: url })
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  await ask('tools/call', { name: 'search', _meta })
  await ask('tools/call', { name: 'Überblick ', _meta })
  await ask('resources/read', { uri: 'file:///a', _meta })
  await ask('tools/call', { name: 'search' })
  const of = (name: string) => heard.map(({ headers }) => headers.get(name))
  expect(of('mcp-protocol-version')).toEqual(['2026-07-28', '2026-07-28', '2026-07-28', null])
  expect(of('mcp-method')).toEqual(['tools/call', 'tools/call', 'resources/read', null])
  expect(of('mcp-name')).toEqual([
    'search',
    `=?base64?${Buffer.from('Überblick ').toString('base64')}?=`,
    'file:///a',
    null,
  ])
  expect(new Set(of('accept'))).toEqual(new Set(['application/json, text/event-stream']))
  expect(new Set(of('content-type'))).toEqual(new Set(['application/json']))
  expect(of('user-agent')[0]).toMatch(/^memsvc-agent\/\d+\.\d+\.\d+ \(\w+\)$/)
})

test('sends the revision that the handshake agreed on', async () => {
  const { url, heard } = startEndpoint(({ body }) =>
    json(`{"jsonrpc":"2.0","id":${idOf(body)},"result":{"protocolVersion":"2025-03-26"}}`),
  )
  const { ask } = await startAgent({ endpoint: url })
  await ask('initialize', { protocolVersion: '2025-11-25' })
  await ask('tools/call', { name: 'search' })
  expect(heard.map(({ headers }) => headers.get('mcp-protocol-version'))).toEqual([null, '2025-03-26'])
})
