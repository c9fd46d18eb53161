import { expect, test } from 'bun:test'
import { idf } from '../../../src/memory/search/weigh-term.ts'

test('a rare term weighs more than a common one, and none weighs less than nothing', () => {
  expect(idf(1, 100)).toBeGreaterThan(idf(50, 100))
  expect(idf(100, 100)).toBeGreaterThan(0)
})

test('more records with a term than there are records in all count as all of them', () => {
  expect(idf(7, 0)).toBe(idf(7, 7))
})
