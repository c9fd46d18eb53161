import { expect, test } from 'bun:test'
import { readInBatches } from '../../../src/store/sqlite/long-reads.ts'

test('reads every number once, in their order, at most so many at a time', async () => {
  const batches: number[][] = []
  const found = await readInBatches([5, 3, 8, 1, 9], 2, async (batch) => {
    batches.push(batch)
    return batch.map((seq) => seq * 10)
  })
  expect(batches).toEqual([[5, 3], [8, 1], [9]])
  expect(found).toEqual([50, 30, 80, 10, 90])
})

test('no numbers take no read', async () => {
  const read = async () => {
    throw new Error('read')
  }
  expect(await readInBatches([], 2, read)).toEqual([])
})
