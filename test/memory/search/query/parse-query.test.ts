import { expect, test } from 'bun:test'
import { parseQuery } from '../../../../src/memory/search/query/parse-query.ts'

test('stop words are weak, unless the query has nothing else', () => {
  expect(parseQuery('what is the deploy key', ['en']).map(({ use }) => use)).toEqual(['weak', 'weak', 'weak', 'rare', 'rare'])
  expect(parseQuery('to be or not to be', ['en']).map(({ use }) => use)).toEqual(['rare', 'rare', 'rare', 'rare'])
})

test('words with one stem are one term', () => {
  expect(parseQuery('key keys KEY', ['en']).map(({ word }) => word)).toEqual(['key'])
})

test('a word is stemmed in every language of the records', () => {
  expect(parseQuery('productivas', ['es', 'en'])[0]?.indexTerms).toEqual(['productiva', 'product'])
})

test('a query is cut behind its first terms', () => {
  expect(parseQuery('red green green-blue black', ['en'], 2).map(({ word }) => word)).toEqual(['red', 'green'])
})
