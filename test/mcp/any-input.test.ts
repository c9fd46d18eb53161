import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { startService } from '../start-service.ts'

const UNFORESEEN = -32603

test('answers any JSON with an answer, a refusal or an error of the protocol', async () => {
  const { post, logged } = await startService()
  const member = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('2.0', 'ping', 'tools/list', 'tools/call', 'initialize', 'server/discover'),
  )
  const message = fc.record(
    { jsonrpc: fc.constantFrom('2.0', 2), id: member, method: member, params: member },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), message), async (value) => {
      const { status, body } = await post(value)
      expect([200, 202, 400]).toContain(status)
      expect(body?.error?.code).not.toBe(UNFORESEEN)
    }),
    { numRuns: 300 },
  )
  expect(logged).toEqual([])
})

test('answers any arguments of any tool with a result or a refusal that the tool explains', async () => {
  const { post, logged } = await startService()
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), fc.jsonValue())
  const names = [
    'query',
    'limit',
    'offset',
    'author',
    'status',
    'since',
    'until',
    'content',
    'fact_key',
    'scope',
    'workspace',
    'source_id',
    'source_hash',
    'expires_at',
    'id',
    'integration',
    'tool',
  ]
  const args = fc.dictionary(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() }),
    value,
    {
      maxKeys: 4,
    },
  )
  const tool = fc.constantFrom('remember', 'search', 'forget', 'validate_memory', 'gateway_call')
  const required: Record<string, object> = {
    remember: { content: 'x' },
    search: { query: 'x' },
    validate_memory: { source_id: 'x' },
  }
  await fc.assert(
    fc.asyncProperty(tool, args, async (name, given) => {
      const params = { name, arguments: { ...required[name], ...given } }
      const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      const said = JSON.stringify(body?.result)
      expect(said).toMatch(/"isError":(true|false)(,"_meta":\{"api_version":"1.0"\})?}$/)
      if (said.endsWith('"isError":true}'))
        expect(said).toStartWith(`{"content":[{"type":"text","text":"Error executing tool ${name}: `)
    }),
    { numRuns: 500 },
  )
  expect(logged).toEqual([])
})
