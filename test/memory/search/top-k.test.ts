import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { collectTopK } from '../../../src/memory/search/top-k.ts'

const list = (weight: number, ...seqs: number[]) => ({ weight, seqs: Uint32Array.from(seqs) })

test('puts the records that hold most first, the newer one where they hold the same', async () => {
  expect((await collectTopK([list(2, 9, 5, 1), list(1, 7, 5, 2)], 10)).map(({ seq }) => seq)).toEqual([5, 9, 1, 7, 2])
})

test('gives no more than is wanted, and nothing of nothing', async () => {
  expect((await collectTopK([list(1, 3, 2, 1)], 2)).map(({ seq }) => seq)).toEqual([3, 2])
  expect(await collectTopK([], 5)).toEqual([])
})

test('finds the same as adding everything up and sorting it, over any distance of numbers, and what comes after any of it', async () => {
  const lists = fc.array(
    fc.record({ weight: fc.integer({ min: 1, max: 5 }), seqs: fc.uniqueArray(fc.integer({ min: 1, max: 200_000 })) }),
    { maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 8 }), async (given, most) => {
      const sums = new Map<number, number>()
      for (const { weight, seqs } of given) for (const seq of seqs) sums.set(seq, (sums.get(seq) ?? 0) + weight)
      const sorted = [...sums].map(([seq, weight]) => ({ seq, weight })).sort((a, b) => b.weight - a.weight || b.seq - a.seq)
      const falling = given.map(({ weight, seqs }) => list(weight, ...seqs.toSorted((a, b) => b - a)))
      const first = await collectTopK(falling, most)
      expect(first).toEqual(sorted.slice(0, most))
      expect(await collectTopK(falling, most, first.at(-1))).toEqual(first.length === 0 ? [] : sorted.slice(most, 2 * most))
    }),
  )
})
