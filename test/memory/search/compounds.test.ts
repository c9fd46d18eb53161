import { expect, test } from 'bun:test'
import { createCompoundWeigher } from '../../../src/memory/search/compounds.ts'
import { parseQuery } from '../../../src/memory/search/query/parse-query.ts'
import { analyze } from '../../../src/text/analyzer.ts'
import { termBits, termOf } from '../../../src/text/token-codes.ts'

/** What the terms of a query score in a text where each that it holds scores its weight, which is 1. */
async function weigh(query: string, text: string): Promise<number[]> {
  const terms = (await parseQuery(query, ['en'])).map((term) => ({ ...term, weight: 1 }))
  const { codes, length } = analyze(text)
  const held = new Set([...codes].map(termOf))
  const scores = Float64Array.from(terms, ({ indexTerms }) =>
    Number(indexTerms.some((term) => held.has(termBits(term)))),
  )
  return [...createCompoundWeigher(terms)(scores, { codes, length })]
}

test('an identifier counts as it is where a record has it joined, or inside a longer one', async () => {
  expect(await weigh('cache.order', 'the cache.order')).toEqual([1, 1, 1])
  expect(await weigh('cache.order', 'the cacheorder')).toEqual([0, 0, 3])
  expect(await weigh('cache.order', 'old.cache.order.list')).toEqual([1, 1, 1])
})

test('parts count by the square root of the share of the identifier that a record has', async () => {
  const share = (held: number) => Math.sqrt(held / 3)
  expect(await weigh('cache.order', 'the order of the cache')).toEqual([share(2), share(2), 0])
  expect(await weigh('cache.order', 'a cache')).toEqual([share(1), 0, 0])
  expect(await weigh('cache.order', 'nothing')).toEqual([0, 0, 0])
})

test('a part that also stands alone, and parts of words that prose joins, count fully', async () => {
  expect(await weigh('cache cache.order', 'a cache')).toEqual([1, 0, 0])
  for (const prose of ['well-known', 'cache/order', 'cacheOrder', '9th'])
    expect((await weigh(prose, prose.slice(0, 5) === 'cache' ? 'cache' : 'well 9'))[0]).toBe(1)
})

test('only the first eight identifiers of a query, and only sixteen parts in a row', async () => {
  const many = Array.from({ length: 9 }, (_, at) => `x${'abcdefghi'[at]}.y${'abcdefghi'[at]}`)
  expect((await weigh(many.join(' '), 'xa xi')).filter((score) => score > 0)).toEqual([Math.sqrt(1 / 3), 1])
  const names = 'ab cd ef gh ij kl mn op qr st uv wx yz ba dc fe hg'.split(' ')
  expect((await weigh(names.slice(0, 16).join('.'), `zz.${names.join('.')}`))[0]).toBe(1)
  expect((await weigh(names.join('.'), `zz.${names.join('.')}.zz`))[0]).toBeLessThan(1)
})
