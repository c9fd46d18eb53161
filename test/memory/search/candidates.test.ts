import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { collectTopK } from '../../../src/memory/search/candidates.ts'
import { countTurns } from '../../count-turns.ts'

const list = (weight: number, ...seqs: number[]) => ({ weight, seqs: Uint32Array.from(seqs) })

test('orders records by the sum of weights, the newer first where sums are equal', async () => {
  expect((await collectTopK([list(2, 9, 5, 1), list(1, 7, 5, 2)], 10)).map(({ seq }) => seq)).toEqual([5, 9, 1, 7, 2])
})

test('returns at most k records, and none for no lists', async () => {
  expect((await collectTopK([list(1, 3, 2, 1)], 2)).map(({ seq }) => seq)).toEqual([3, 2])
  expect(await collectTopK([], 5)).toEqual([])
})

test('returns the same as summing and sorting all records, whatever their numbers, and continues behind any candidate', async () => {
  const lists = fc.array(
    fc.record({ weight: fc.integer({ min: 1, max: 5 }), seqs: fc.uniqueArray(fc.integer({ min: 1, max: 200_000 })) }),
    { maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 8 }), async (given, most) => {
      const sums = new Map<number, number>()
      for (const { weight, seqs } of given) for (const seq of seqs) sums.set(seq, (sums.get(seq) ?? 0) + weight)
      const sorted = [...sums]
        .map(([seq, weight]) => ({ seq, weight }))
        .sort((a, b) => b.weight - a.weight || b.seq - a.seq)
      const falling = given.map(({ weight, seqs }) => list(weight, ...seqs.toSorted((a, b) => b - a)))
      const first = await collectTopK(falling, most)
      expect(first).toEqual(sorted.slice(0, most))
      expect(await collectTopK(falling, most, first.at(-1))).toEqual(
        first.length === 0 ? [] : sorted.slice(most, 2 * most),
      )
    }),
  )
})

test('searches that yield in turn do not mix their sums', async () => {
  const RECORDS = 8_000_000
  const listsOf = (step: number) => [list(1, ...everyNth(step)), list(2, ...everyNth(step * 2))]
  const everyNth = (step: number) => Array.from({ length: 100_000 }, (_, at) => RECORDS - at * step)
  const steps = [5, 7, 11, 13, 17, 19]
  const alone: Awaited<ReturnType<typeof collectTopK>>[] = []
  for (const step of steps) alone.push(await collectTopK(listsOf(step), 50))
  const stop = countTurns()
  const together = await Promise.all(steps.map((step) => collectTopK(listsOf(step), 50)))
  expect(stop()).toBeGreaterThan(1)
  expect(together).toEqual(alone)
})
