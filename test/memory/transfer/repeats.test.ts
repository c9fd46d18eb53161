import { expect, test } from 'bun:test'
import type { Entry } from '../../../src/memory/transfer/entry.ts'
import { insertRecords } from '../../builders/records.ts'
import { startService } from '../../start-service.ts'
import { importAll } from './import-all.ts'

const A = { content: 'The port is 8080', fact_key: 'port' }
const B = { content: 'The port is 9090', fact_key: 'port' }
const FACT = { factKey: 'port', factKeyGiven: true }

/**
 * A running service, the function that imports entries into its project, and the one that lists what is current there.
 */
async function startToImport() {
  const running = await startService()
  const listCurrent = async () => {
    const all = await running.service.store.project(running.project.id).listRecords({ visible: undefined })
    return all.filter(({ status }) => status !== 'superseded').map(({ content }) => content)
  }
  return { running, importAll: (entries: Entry[]) => importAll(running, entries), listCurrent }
}

const alternating = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? A : B))

test('a file in which a fact changes back and forth is imported once, and not again', async () => {
  const { importAll, listCurrent } = await startToImport()
  expect(await importAll(alternating(21))).toMatchObject({ saved: 21, there: 0 })
  expect(await listCurrent()).toEqual([A.content])
  expect(await importAll(alternating(21))).toMatchObject({ saved: 0, there: 21 })
  expect(await listCurrent()).toEqual([A.content])
})

test('a further line makes a fact current again once all outdated records that say it have a line of their own', async () => {
  const { importAll, listCurrent } = await startToImport()
  await importAll([A, B, A, B])
  expect(await importAll([A, A])).toMatchObject({ saved: 0, there: 2 })
  expect(await listCurrent()).toEqual([B.content])
  expect(await importAll([A, A, A])).toMatchObject({ saved: 1, there: 2 })
  expect(await listCurrent()).toEqual([A.content])
})

test('very many outdated records of others that say the same stand for no line', async () => {
  const { running, importAll, listCurrent } = await startToImport()
  const current = { ...FACT, id: 'current', content: B.content }
  const outdated = {
    ...FACT,
    content: A.content,
    authorId: 'somebody else',
    status: 'superseded' as const,
    supersededBy: 'current',
  }
  await insertRecords(running, [current, ...Array.from({ length: 200 }, () => outdated)])
  expect(await importAll([A])).toMatchObject({ saved: 1 })
  expect(await listCurrent()).toEqual([A.content])
})
