import { expect, test } from 'bun:test'
import { editDistance } from '../src/edit-distance.ts'

test('counts letters added, left out, replaced and swapped', () => {
  expect(editDistance('caroline', 'charoline', 2)).toBe(1)
  expect(editDistance('researhc', 'research', 2)).toBe(1)
  expect(editDistance('kitten', 'sitting', 3)).toBe(3)
  expect(editDistance('same', 'same', 1)).toBe(0)
})

test('is one more than the maximum where there are more edits, and for words longer than a term', () => {
  expect(editDistance('kitten', 'sitting', 1)).toBe(2)
  expect(editDistance('a', 'abcdef', 2)).toBe(3)
  expect(editDistance('a'.repeat(65), 'a'.repeat(65), 2)).toBe(3)
})
