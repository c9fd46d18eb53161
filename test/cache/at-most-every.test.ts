import { expect, test } from 'bun:test'
import { atMostEvery } from '../../src/cache/at-most-every.ts'
import { rejectionOf } from '../rejection-of.ts'

/** Reads that give 1, 2, and so on, once a second at most. */
function countReads() {
  const state = { now: 0, reads: 0, fails: false }
  const read = atMostEvery(
    1_000,
    () => state.now,
    async () => {
      state.reads += 1
      if (state.fails) throw new Error(`read ${state.reads}`)
      return state.reads
    },
  )
  return { state, read }
}

test('calls within the time share one read, also while it is under way', async () => {
  const { state, read } = countReads()
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  state.now = 999
  expect(await read()).toBe(1)
  state.now = 1_000
  expect(await read()).toBe(2)
})

test('a read that failed is told to those who waited for it, and not kept', async () => {
  const { state, read } = countReads()
  state.fails = true
  expect(await Promise.all([rejectionOf(read()), rejectionOf(read())])).toEqual(['read 1', 'read 1'])
  state.fails = false
  expect(await read()).toBe(2)
})
