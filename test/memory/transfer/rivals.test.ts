import { expect, test } from 'bun:test'
import type { Entry } from '../../../src/memory/transfer/entry.ts'
import type { CurrentStatus } from '../../../src/store/record.ts'
import { insertRecords } from '../../builders/records.ts'
import { startService } from '../../start-service.ts'
import { importAll } from './import-all.ts'

const RIVALS = 100
const FACT = { factKey: 'port', factKeyGiven: true, workspaceId: 1, audience: '*', content: 'none of them' }

/** A service in which many records, none of them with a given key, say something else of one fact. */
async function startWithRivals() {
  const running = await startService()
  await insertRecords(
    running,
    Array.from({ length: RIVALS }, (_, at) => ({ content: `The port is ${at}`, factKey: 'port' })),
  )
  const store = running.service.store.project(running.project.id)
  const list = (status: CurrentStatus) => store.listRivals(FACT, { status, limit: RIVALS + 10 })
  return { list, importAll: (entries: Entry[]) => importAll(running, entries) }
}

test('an imported record supersedes very many rivals in several writes, between which others are served', async () => {
  const { list, importAll } = await startWithRivals()
  let isDone = false
  const importing = importAll([{ content: 'The port is 9090', fact_key: 'port' }]).finally(() => {
    isDone = true
  })
  const seen = new Set<number>()
  while (!isDone) {
    seen.add((await list('unverified')).length)
    await new Promise(setImmediate)
  }
  expect(await importing).toMatchObject({ saved: 1 })
  expect(await list('unverified')).toMatchObject([{ factKeyGiven: true }])
  expect(seen.size).toBeGreaterThan(4)
})

test('of lines with one key the last one holds, however many rivals each of them has', async () => {
  const { list, importAll } = await startWithRivals()
  const entries = Array.from({ length: 20 }, (_, at) => ({ content: `The port is ${9_000 + at}`, fact_key: 'port' }))
  expect(await importAll(entries)).toMatchObject({ saved: 20 })
  expect((await list('unverified')).map(({ seq }) => seq)).toEqual([RIVALS + entries.length])
})

test('a record that comes with its id and its time supersedes what is older, and nothing that is newer', async () => {
  const { list, importAll } = await startWithRivals()
  await importAll([{ content: 'The port is 9090', fact_key: 'port' }])
  await importAll([
    { id: Bun.randomUUIDv7(), content: 'The port is 8080', fact_key: 'port', created_at: '2020-01-01T00:00:00.000Z' },
  ])
  expect((await list('unverified')).map(({ seq }) => seq)).toEqual([RIVALS + 1])
})
