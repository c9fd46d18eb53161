import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { startService } from '../start-service.ts'

const MESSAGES = 20_000
/** Printed by a failure, with the message that was found; another run finds it with the same. */
const SEED = 20_260_115
/** Messages sent at once. */
const TOGETHER = 16
const INTERNAL_ERROR = -32603

/** What clients send: each method with parameters as they should be. */
const VALID: Record<string, unknown>[] = [
  { jsonrpc: '2.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: 'two', method: 'tools/list', params: {} },
  toCall('search', { query: 'the well is deep', limit: 5, workspace: 'default', exclude_stale: true }),
  toCall('remember', {
    content: 'the well is deep',
    fact_key: 'well',
    scope: 'draft',
    source_id: 'notes',
    source_hash: 'one',
  }),
  toCall('remember', { content: 'the mill turns', expires_at: '2030-01-01T00:00:00Z' }),
  toCall('forget', { source_id: 'notes', stale: true }),
  toCall('validate_memory', { source_id: 'notes', source_hash: 'one' }),
  toCall('gateway_call', { integration: 'wiki', tool: 'read', arguments: { page: 'one' } }),
  {
    jsonrpc: '2.0',
    id: 3,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } },
  {
    jsonrpc: '2.0',
    id: 4,
    method: 'server/discover',
    params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
  },
  { jsonrpc: '2.0', id: 5, method: 'resources/list', params: { cursor: 'x' } },
]

function toCall(name: string, args: Record<string, unknown>) {
  return { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args, _meta: { progressToken: 1 } } }
}

/** Text and numbers that parsers, indexes and databases have stumbled over. */
const ODD = [
  '',
  '\0',
  '\ud800',
  '\ufeff',
  '\u202e',
  `a${'\u0301\u0316'.repeat(200)}`,
  '%00%ff',
  '__proto__',
  'constructor',
  'toString',
  '"; drop table records; --',
  '* OR NEAR(a b)',
  '{'.repeat(50),
  'x'.repeat(5_000),
  -0,
  1e308,
  -1,
  2 ** 53,
  0.1,
  null,
  true,
  [],
  {},
]

type Path = (string | number)[]

/** The places in a message, its whole included. */
function listPaths(value: unknown, path: Path = []): Path[] {
  const within = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [path, ...within.flatMap(([name, part]) => listPaths(part, [...path, name]))]
}

/** The message with something else in one place; without it where that is undefined. */
function change(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to
  const parts = Object.entries((value ?? {}) as object)
  const changed = parts.map(([known, part]) => [known, known === name ? change(part, rest, to) : part])
  return Object.fromEntries(changed.filter(([, part]) => part !== undefined))
}

const odd = fc.oneof(
  fc.constantFrom(...ODD),
  fc.constantFrom(undefined, undefined),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
)

/** One to three changes of a valid message. */
const mutated = fc
  .tuple(fc.constantFrom(...VALID), fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 3 }))
  .map(([message, changes]) =>
    changes.reduce((present: unknown, [place, to]) => {
      const paths = listPaths(present)
      return change(present, paths[place % paths.length] ?? [], to)
    }, message),
  )

/** One whose text is cut, doubled or changed in some places, so that it may be no JSON. */
const broken = fc
  .tuple(mutated, fc.nat(), fc.constantFrom('cut', 'double', 'replace', 'batch'))
  .map(([message, place, how]) => {
    const text = JSON.stringify(message) ?? ''
    const at = place % (text.length + 1)
    if (how === 'batch') return `[${text},${text}]`
    if (how === 'cut') return text.slice(0, at)
    return how === 'double'
      ? text.slice(0, at) + text
      : `${text.slice(0, at)}${'{["\\,:}]'[place % 8]}${text.slice(at + 1)}`
  })

const HEADERS: Record<string, string>[] = [
  {},
  { 'mcp-protocol-version': '2025-06-18' },
  { 'mcp-protocol-version': '2026-07-28' },
  { 'mcp-protocol-version': 'tomorrow' },
  { 'mcp-session-id': 'x' },
  { accept: 'application/json' },
]

const sent = fc.tuple(
  fc.oneof({ weight: 4, arbitrary: mutated }, { weight: 1, arbitrary: broken }),
  fc.constantFrom(...HEADERS),
)

test('20 000 changed messages are each answered by a result, a refusal or an error of the protocol, and none is our own', async () => {
  const { post, call, pass, logged } = await startService()
  const messages = fc.sample(sent, { numRuns: MESSAGES, seed: SEED })
  const faults: unknown[] = []
  const kinds = new Set<string>()
  const work = async (): Promise<void> => {
    for (let next = messages.pop(); next !== undefined; next = messages.pop()) {
      // No window is full: what is asked here is not how many may come.
      if (messages.length % 100 === 0) pass(60_000)
      const [message, headers] = next
      const { status, body } = await post(message, headers)
      kinds.add(
        body?.result === undefined
          ? `${status} ${body?.error?.code ?? ''}`
          : `${status} isError ${body.result.isError}`,
      )
      if (status >= 500 || body?.error?.code === INTERNAL_ERROR)
        faults.push({ seed: SEED, message, headers, status, body })
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  expect(faults).toEqual([])
  // Some changes leave a message good, and others meet each of the checks.
  expect([...kinds]).toEqual(
    expect.arrayContaining(['200 isError false', '200 isError true', '202 ', '400 -32700', '200 -32602']),
  )
  expect(logged).toEqual([])
  expect((await call('search', { query: 'the mill' })).isError).toBe(false)
})
