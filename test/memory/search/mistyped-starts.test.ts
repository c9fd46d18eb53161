import { expect, test } from 'bun:test'
import { mistypedStarts } from '../../../src/memory/search/mistyped-starts.ts'

test('undoes one mistake in the first letters of a word: changed, added, left out, swapped', () => {
  const found = mistypedStarts('xone', 1)
  expect(found).toContain('bone')
  expect(found).toContain('one')
  expect(found).toContain('axone')
  expect(found).toContain('oxne')
  expect(found).not.toContain('xone')
  expect(found).not.toContain('xbne')
  expect(mistypedStarts('xone', 2)).toContain('xbne')
})

test('takes the letters of the word’s own script', () => {
  expect(mistypedStarts('кига', 2)).toContain('книга')
  expect(mistypedStarts('βνωση', 1)).toContain('γνωση')
  expect(mistypedStarts('ກຂ', 1)).toEqual(['ຂ', 'ຂກ'])
})
