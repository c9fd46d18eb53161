import { expect, jest, onTestFinished, test } from 'bun:test'
import { StorageRefusal } from '../src/errors.ts'
import { createStorageLog } from '../src/log.ts'

test('the first write that the storage refused is logged at once, further ones once a minute with their number', () => {
  jest.useFakeTimers()
  onTestFinished(() => void jest.useRealTimers())
  const lines: unknown[] = []
  const refused = createStorageLog((event, fields) => void lines.push({ event, ...fields }))
  const event = 'the storage refused to write'
  refused(new StorageRefusal('the disk is full', 'ENOSPC'))
  expect(lines).toEqual([{ event, acts: 1, reason: 'the disk is full', error: 'ENOSPC' }])
  for (let time = 0; time < 3; time++) refused(new StorageRefusal('the storage fails (EIO)', 'EIO'))
  jest.advanceTimersByTime(59_000)
  expect(lines).toHaveLength(1)
  jest.advanceTimersByTime(1_000)
  expect(lines.slice(1)).toEqual([{ event, acts: 3, reason: 'the storage fails (EIO)', error: 'EIO' }])
  jest.advanceTimersByTime(120_000)
  refused(new StorageRefusal('the disk is full', 'ENOSPC'))
  expect(lines).toHaveLength(3)
})
