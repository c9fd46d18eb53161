import { expect, test } from 'bun:test'
import { neighbourBoost } from '../../../src/memory/search/rank.ts'

test('a record gets a share of what its neighbours match and it does not', () => {
  const own = Float64Array.of(1, 0, 0)
  const boosted = neighbourBoost(own, {
    before: [Float64Array.of(0, 1, 0), undefined],
    after: [Float64Array.of(1, 0, 1)],
  })
  expect([...boosted]).toEqual([1, 0.5, 0.4])
  expect([...own]).toEqual([1, 0, 0])
})
