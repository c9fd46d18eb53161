import { expect, test } from 'bun:test'
import { parseQuery } from '../../../../src/memory/search/query/parse-query.ts'
import { LANGUAGES } from '../../../../src/text/language.ts'
import { countTurns } from '../../../count-turns.ts'

test('stop words are weak, unless the query has nothing else', async () => {
  expect((await parseQuery('what is the deploy key', ['en'])).map(({ use }) => use)).toEqual([
    'weak',
    'weak',
    'weak',
    'rare',
    'rare',
  ])
  expect((await parseQuery('to be or not to be', ['en'])).map(({ use }) => use)).toEqual([
    'rare',
    'rare',
    'rare',
    'rare',
  ])
})

test('words with one stem are one term', async () => {
  expect((await parseQuery('key keys KEY', ['en'])).map(({ word }) => word)).toEqual(['key'])
})

test('a word is stemmed in every language of the records', async () => {
  expect((await parseQuery('productivas', ['es', 'en']))[0]?.indexTerms).toEqual(['productiva', 'product'])
})

test('a query is cut behind its first terms', async () => {
  expect((await parseQuery('red green green-blue black', ['en'], 2)).map(({ word }) => word)).toEqual(['red', 'green'])
})

test('others are served while a page is read in all languages', async () => {
  const page = Array.from({ length: 2_000 }, (_, at) => `szó${at.toString(26)}ként`).join(' ')
  const stopCounting = countTurns()
  expect(await parseQuery(page, LANGUAGES)).not.toBeEmpty()
  expect(stopCounting()).toBeGreaterThan(3)
})
