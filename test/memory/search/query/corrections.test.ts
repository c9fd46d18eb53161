import { expect, test } from 'bun:test'
import { respellBeginning } from '../../../../src/memory/search/query/corrections.ts'

test('respells the beginning of a word by one letter left out, swapped, replaced or added', () => {
  const found = respellBeginning('xone', 1)
  expect(found).toContain('bone')
  expect(found).toContain('one')
  expect(found).toContain('axone')
  expect(found).toContain('oxne')
  expect(found).not.toContain('xone')
  expect(found).not.toContain('xbne')
  expect(respellBeginning('xone', 2)).toContain('xbne')
})

test('replaces and adds letters of the script of the word', () => {
  expect(respellBeginning('кига', 2)).toContain('книга')
  expect(respellBeginning('βνωση', 1)).toContain('γνωση')
  expect(respellBeginning('ກຂ', 1)).toEqual(['ຂ', 'ຂກ'])
})
