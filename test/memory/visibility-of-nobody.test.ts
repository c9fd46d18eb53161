import { expect, test } from 'bun:test'
import { startService } from '../start-service.ts'

test('a reader of no audience finds nothing, by whatever read', async () => {
  const { call, service, project } = await startService()
  await call('remember', { content: 'the well is deep', source_id: 's', source_hash: '1' })
  const reads = service.store.project(project.id)
  const [record] = await reads.listRecords({ visible: undefined })
  expect(record).toBeDefined()
  expect(await reads.findRecord([], record?.id ?? '')).toBeUndefined()
  expect(await reads.listRecords({ visible: [] })).toEqual([])
  expect(await reads.findRecordsBySeq([], [record?.seq ?? 0])).toEqual([])
  expect(await reads.findCurrentHash([], record?.workspaceId ?? 0, 's')).toBeUndefined()
  expect(await reads.isWrittenFor([], record?.workspaceId ?? 0)).toBe(false)
})
