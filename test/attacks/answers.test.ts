import { expect, test } from 'bun:test'
import { insertRecords } from '../builders/records.ts'
import { startService } from '../start-service.ts'

const MEBIBYTE = 1024 * 1024
const LARGEST = 64 * 1024
/** What takes most room in JSON that stands in JSON text. */
const HEAVY = '\u0001'
const LONG = {
  factKey: `k${HEAVY.repeat(126)}`,
  sourceId: `s${HEAVY.repeat(511)}`,
  sourceHash: `h${HEAVY.repeat(511)}`,
}

type Entry = { id: string; content: string; excerpt?: true }

/** Calls a tool and measures the answer as it goes over the wire. */
async function callMeasured({ url, secret }: { url: string; secret: string }, name: string, args: object) {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  const bytes = await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).bytes()
  const { result } = JSON.parse(new TextDecoder().decode(bytes)) as {
    result: { isError: boolean; structuredContent: { result: unknown } }
  }
  expect(result.isError).toBe(false)
  return { bytes: bytes.length, result: result.structuredContent.result }
}

const charactersOf = (entries: Entry[]) => entries.reduce((sum, { content }) => sum + content.length, 0)

const contents = {
  'control characters': `lantern ${HEAVY.repeat(LARGEST - 8)}`,
  quotes: `lantern ${'"\\'.repeat(LARGEST / 2 - 4)}`,
  'pictures without a space': `lantern ${'😀'.repeat(LARGEST / 4 - 2)}`,
}

for (const [name, content] of Object.entries(contents)) {
  test(`what is found in records of ${name} is at most 2 MiB, and well-formed`, async () => {
    const running = await startService()
    const many = Array.from({ length: 50 }, (_, at) => ({
      ...LONG,
      content,
      factKeyGiven: true,
      factKey: `${LONG.factKey}${at % 10}`,
    }))
    await insertRecords(running, many)
    const { bytes, result } = await callMeasured(running, 'search', { query: 'lantern', limit: 50 })
    const found = result as Entry[]
    expect(found).toHaveLength(50)
    expect(bytes).toBeLessThanOrEqual(2 * MEBIBYTE)
    expect(charactersOf(found)).toBeLessThanOrEqual(24_000)
    for (const one of found)
      expect([one.excerpt, one.content.isWellFormed(), content.includes(one.content)]).toEqual([true, true, true])
  })
}

test('a long record gives way to the passage that answers, cut between sentences, and short records stay whole', async () => {
  const running = await startService()
  const filler = 'The quay was swept in the morning and nothing else was noted. '
  const answer = 'The lantern of the north pier is lit at dusk by the harbour master.'
  const long = `${filler.repeat(500)}${answer} ${filler.repeat(500)}`.trimEnd()
  await insertRecords(running, [{ content: long }, { content: 'The lantern is green.' }])
  const { result } = await callMeasured(running, 'search', { query: 'lantern north pier' })
  const [first, second] = result as [Entry, Entry]
  const [short, passage] = first.content.length < second.content.length ? [first, second] : [second, first]
  expect(short).toMatchObject({ content: 'The lantern is green.' })
  expect(short).not.toHaveProperty('excerpt')
  expect(passage.excerpt).toBe(true)
  expect(passage.content).toContain(answer)
  expect(passage.content).toStartWith('The ')
  expect(passage.content).toEndWith('.')
  expect(passage.content.length).toBeGreaterThan(1_000)
  expect(passage.content.length).toBeLessThanOrEqual(1_200)
})

test('a source of many large records is judged whole, and 100 of them are listed in at most 24 000 characters, stale ones first', async () => {
  const running = await startService()
  const content = contents['control characters']
  const stale = Array.from({ length: 130 }, (_, at) => ({
    ...LONG,
    content,
    sourceHash: at < 10 ? 'new' : LONG.sourceHash,
  }))
  await insertRecords(running, stale)
  await running.call('remember', { content: 'the newest', source_id: LONG.sourceId, source_hash: 'new' })
  const { bytes, result } = await callMeasured(running, 'validate_memory', { source_id: LONG.sourceId })
  const { records, ...counts } = result as { records: (Entry & { freshness: string })[] }
  expect(counts).toMatchObject({ fresh: 11, stale: 120, unknown: 0 })
  expect(records.map(({ freshness }) => freshness)).toEqual(Array(100).fill('stale'))
  expect(records.every(({ excerpt }) => excerpt === true)).toBe(true)
  expect(charactersOf(records)).toBeLessThanOrEqual(24_000)
  expect(bytes).toBeLessThanOrEqual(2 * MEBIBYTE)
})

test('a source of many records is forgotten whole, and the answer names 100 of them', async () => {
  const running = await startService()
  await insertRecords(
    running,
    Array.from({ length: 130 }, () => ({ sourceId: 'log' })),
  )
  const { result } = await callMeasured(running, 'forget', { source_id: 'log' })
  const { forgotten, ids } = result as { forgotten: number; ids: string[] }
  expect([forgotten, ids.length, new Set(ids).size]).toEqual([130, 100, 100])
  expect(await running.service.store.project(running.project.id).readUsage()).toMatchObject({
    records: 0,
    contentBytes: 0,
  })
})

test('a save supersedes very many records of its fact, names 100 of them and says how many there were', async () => {
  const running = await startService()
  const content = contents['control characters']
  const rivals = { content, factKey: 'port', factKeyGiven: true }
  await insertRecords(
    running,
    Array.from({ length: 170 }, (_, at) => ({ ...rivals, sourceId: `s${at}` })),
  )
  const { bytes, result } = await callMeasured(running, 'remember', { content: 'The port is 9090', fact_key: 'port' })
  const { superseded, superseded_total: total } = result as { superseded: Entry[]; superseded_total: number }
  expect([superseded.length, total]).toEqual([100, 170])
  expect(charactersOf(superseded)).toBeLessThanOrEqual(24_000)
  expect(bytes).toBeLessThanOrEqual(2 * MEBIBYTE)
  const store = running.service.store.project(running.project.id)
  expect(await store.listRecords({ visible: undefined, status: 'unverified' })).toMatchObject([
    { content: 'The port is 9090' },
  ])
})

test('a save that contradicts very many verified records names 100 of them and says how many there are', async () => {
  const running = await startService()
  const rivals = Array.from({ length: 120 }, (_, at) => ({
    content: `The port is ${at}`,
    factKey: 'port',
    factKeyGiven: true,
    status: 'verified' as const,
  }))
  await insertRecords(running, rivals)
  const { result } = await callMeasured(running, 'remember', { content: 'The port is 9090', fact_key: 'port' })
  const { conflicts_with: conflicts, conflicts_total: total } = result as {
    conflicts_with: Entry[]
    conflicts_total: number
  }
  expect([conflicts.length, total]).toEqual([100, 120])
})

test('an answer echoes no id of a message that is longer than 1 024 characters', async () => {
  const { post } = await startService()
  const { body, status } = await post({ jsonrpc: '2.0', id: 'x'.repeat(1_025), method: 'ping' })
  expect([status, body?.id, body?.error?.code]).toEqual([400, null, -32600])
})
