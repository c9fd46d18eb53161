import { expect, test } from 'bun:test'
import { createTokenCache } from '../../../../src/memory/search/index/token-cache.ts'

const toRecord = (length: number) => ({ codes: new Uint32Array(length).fill(length), length })

test('gives the tokens of a record back for the same state of a project, and for no other', () => {
  const cache = createTokenCache()
  const record = toRecord(3)
  cache.at('a 1').set(7, record)
  expect(cache.at('a 1').get(7)).toBe(record)
  expect(cache.at('a 1').get(8)).toBeUndefined()
  expect(cache.at('a 2').get(7)).toBeUndefined()
  expect(cache.at('b 1').get(7)).toBeUndefined()
})

test('holds a million tokens; the record read first gives way', () => {
  const cache = createTokenCache().at('a 1')
  for (const seq of [1, 2, 3, 4]) cache.set(seq, toRecord(1 << 18))
  cache.set(5, toRecord(1))
  expect([1, 2, 3, 4, 5].map((seq) => cache.get(seq) !== undefined)).toEqual([false, true, true, true, true])
})

test('states that were forgotten meanwhile share nothing with those that came after them', () => {
  const cache = createTokenCache()
  cache.at('a 1').set(7, toRecord(3))
  for (let version = 0; version < 2_000; version++) cache.at(`b ${version}`)
  expect(cache.at('a 1').get(7)).toBeUndefined()
})
