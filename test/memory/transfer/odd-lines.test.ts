import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { StorageRefusal } from '../../../src/errors.ts'
import { importRecords } from '../../../src/memory/transfer/import-records.ts'
import { readJsonLines } from '../../../src/memory/transfer/read-json-lines.ts'
import type { ProjectStore } from '../../../src/store/project.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'
import { importAll } from './import-all.ts'

test('times that no record can have are refused with their line, and the lines behind it are saved', async () => {
  const { service, project, owner } = await startService()
  const lines = [
    { content: 'Of a time before computers', created_at: '1969-12-31' },
    { content: 'Of the first year', created_at: '0000-01-01T00:00:00+23:59' },
    { content: 'Of the last year', expires_at: '9999-12-31T23:59:59-23:59' },
    { content: 'Of today' },
  ]
  const refused: string[] = []
  const bytes = new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'))
  const counts = await importRecords(service, COMMAND_LINE, {
    projectId: project.id,
    workspace: undefined,
    member: owner,
    items: readJsonLines(new Response(bytes).body as ReadableStream<Uint8Array>),
    watch: {
      refused: (where, reason) => refused.push(`${where}: ${reason}`),
      progress: () => {},
      isStopped: () => false,
    },
  })
  expect(counts).toMatchObject({ saved: 1, refused: 3 })
  const format = 'must be an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T12:00:00Z'
  expect(refused).toEqual([
    'line 1: created_at must not be before 1970',
    `line 2: created_at ${format}`,
    `line 3: expires_at ${format}`,
  ])
})

test('an id in capitals is the same id: its record is found by it, and is there when it comes again', async () => {
  const running = await startService()
  const id = crypto.randomUUID()
  expect(await importAll(running, [{ content: 'The port is 8080', id: id.toUpperCase() }])).toMatchObject({ saved: 1 })
  expect(await importAll(running, [{ content: 'The port is 8080', id }])).toMatchObject({ saved: 0, there: 1 })
  expect(await running.call('search', { query: id.toUpperCase() })).toMatchObject({
    structured: { result: [{ id, score: 1 }] },
  })
})

test('an import ends where the disk is full, and says how many records were saved', async () => {
  const { service, project } = await startService()
  const records = service.store.project(project.id)
  let writes = 0
  const write: ProjectStore['write'] = async (...given) => {
    if (++writes > 200) throw new StorageRefusal('the disk is full', 'ENOSPC')
    return records.write(...given)
  }
  const full = { ...service, store: { ...service.store, project: () => ({ ...records, write }) } }
  async function* items() {
    for (let at = 0; at < 1_000; at++) yield { where: `line ${at}`, entries: [{ content: `note number ${at}` }] }
  }
  const refused = (where: string, reason: string) => expect.unreachable(`${where}: ${reason}`)
  const watch = { refused, progress: () => {}, isStopped: () => false }
  const input = { projectId: project.id, workspace: undefined, member: undefined, items: items(), watch }
  expect(await rejectionOf(importRecords(full, COMMAND_LINE, input))).toBe(
    'the disk is full, so the import ended after 200 records were saved; import it again to continue',
  )
  expect((await records.readUsage()).records).toBe(200)
})
