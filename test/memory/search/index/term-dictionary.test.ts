import { describe, expect, test } from 'bun:test'
import { createTermDictionary } from '../../../../src/memory/search/index/term-dictionary.ts'

describe('a dictionary of terms', () => {
  const { find, list } = createTermDictionary(
    new Map([
      ['rot', [2]],
      ['rotate', [1, 3, 7]],
      ['日本', [4]],
      ['key', [1, 2]],
    ]),
  )

  test('has the numbers of a whole term, and none for what it begins with, or for what comes before and after all', () => {
    expect([...find('rotate')]).toEqual([1, 3, 7])
    expect([...find('日本')]).toEqual([4])
    for (const other of ['rota', '', 'zebra', '日本語']) expect([...find(other)]).toEqual([])
  })

  test('lists terms of a range in order, with how many records have each', () => {
    expect(list('l', 'rotate', 9)).toEqual([{ term: 'rot', records: 1 }])
    expect(list('', '\u{10ffff}', 3)).toEqual([
      { term: 'key', records: 2 },
      { term: 'rot', records: 1 },
      { term: 'rotate', records: 3 },
    ])
    expect(list('s', 'key', 9)).toEqual([])
  })

  test('of no terms is empty', () => {
    const empty = createTermDictionary(new Map())
    expect([...empty.find('key')]).toEqual([])
    expect(empty.list('', '\u{10ffff}', 9)).toEqual([])
  })
})
