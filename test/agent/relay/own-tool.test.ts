import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { startService } from '../../start-service.ts'
import { waitUntil } from '../../wait-until.ts'
import { json, namesIn, startAgent, startEndpoint } from '../start-agent.ts'

const OWN = 'memsvc_sync_status'

test("is the last of the tools, and everything else of the list is the service's, byte for byte", async () => {
  const { url, secret, service } = await startService()
  const { ask, lines } = await startAgent({ endpoint: url, key: secret })
  await ask('tools/list')
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const direct = await (
    await fetch(`${url}/mcp`, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' })
  ).text()
  const end = direct.lastIndexOf(']')
  expect(service.version).toBe('0.0.0')
  expect(lines[0]?.startsWith(`${direct.slice(0, end)},{"name":"${OWN}",`)).toBe(true)
  expect(lines[0]?.endsWith(`}${direct.slice(end)}`)).toBe(true)
})

test('is described as the contract wants it', async () => {
  const { url, secret } = await startService()
  const { ask } = await startAgent({ endpoint: url, key: secret })
  const tools = (await ask('tools/list')).result?.tools as Record<string, unknown>[]
  expect(tools.at(-1)).toEqual({
    name: OWN,
    description: expect.stringContaining('session histories'),
    inputSchema: { type: 'object', properties: {} },
    outputSchema: expect.objectContaining({ type: 'object' }),
    annotations: { readOnlyHint: true, idempotentHint: true },
  })
})

test('says that nothing is uploaded, in both forms of a result, and is never sent to the service', async () => {
  const { url, heard } = startEndpoint(() => json('{}'))
  const { ask } = await startAgent({ endpoint: url, now: () => Date.UTC(2026, 0, 15, 12) })
  const { result } = await ask('tools/call', { name: OWN, arguments: {} })
  const { structuredContent, content } = result as {
    structuredContent: Record<string, unknown>
    content: { text: string }[]
  }
  expect(result?.isError).toBe(false)
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent)
  expect(structuredContent).toMatchObject({
    state: 'disabled',
    reason: 'not_enabled',
    enabled: false,
    searchable: false,
    endpoint: new URL(url).host,
    uploader: 'none',
    totals: { sessions: { known: 0, synced: 0, pending: 0, failed: 0, excluded: 0 } },
    assistants: [],
    last_error: null,
    as_of: '2026-01-15T12:00:00.000Z',
  })
  expect(heard).toEqual([])
})

const list = (tools: string, rest = '') => `{"jsonrpc":"2.0","id":1,"result":{"tools":${tools}${rest}}}`

test.each([
  ['an empty list', list('[]'), [OWN]],
  ['an empty list with white space', list('[ \n ]'), [OWN]],
  ['brackets and quotes in strings', list('[{"name":"a","description":"]}[\\"\\\\"}]'), ['a', OWN]],
  ['names written with escapes', '{"jsonrpc":"2.0","id":1,"resul\\u0074":{"\\u0074ools":[{"name":"a"}]}}', ['a', OWN]],
  [
    'tools within other members',
    '{"jsonrpc":"2.0","tools":[],"id":1,"result":{"x":{"tools":[]},"tools":[{"name":"a","tools":[1]}],"y":[]}}',
    ['a', OWN],
  ],
  [
    'a member twice, of which the last counts',
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"no"}],"tools":[{"name":"a"}]}}',
    ['a', OWN],
  ],
  ['a cursor that is null', list('[{"name":"a"}]', ',"nextCursor":null'), ['a', OWN]],
  ['a page that is not the last', list('[{"name":"a"}]', ',"nextCursor":"2"'), ['a']],
])('is put at the right place of %s', async (_what, answer, expected) => {
  const { url } = startEndpoint(() => json(answer))
  const { ask } = await startAgent({ endpoint: url })
  expect(namesIn(await ask('tools/list'))).toEqual(expected)
})

test('is the one edit: an error, or a result without tools, stays as it is', async () => {
  for (const answer of [
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}',
    '{"jsonrpc":"2.0","id":1,"result":{"tools":{}}}',
  ]) {
    const { url } = startEndpoint(() => json(answer))
    const { ask, lines } = await startAgent({ endpoint: url })
    await ask('tools/list')
    expect(lines).toEqual([answer])
  }
})

test('is put into any list without changing another byte', async () => {
  let answer = ''
  const { url } = startEndpoint(() => json(answer))
  const { send, lines } = await startAgent({ endpoint: url })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), async (tools, rest) => {
      const { tools: _, nextCursor: __, ...others } = rest
      answer = JSON.stringify({ result: { ...others, tools }, id: 1, jsonrpc: '2.0' }, null, 1).replaceAll('\n', ' ')
      const before = lines.length
      await send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
      await waitUntil('the list is there', () => lines.length > before)
      const got = JSON.parse(lines.at(-1) ?? '') as { result: { tools: unknown[] } }
      expect(got.result.tools.at(-1)).toMatchObject({ name: OWN })
      expect(lines.at(-1)?.replace(/,?\{"name":"memsvc_sync_status".*?"idempotentHint":true\}\}/, '')).toBe(answer)
    }),
    { numRuns: 200 },
  )
})
