import { expect, test } from 'bun:test'
import { editDistance } from '../../../src/memory/search/edit-distance.ts'
import { idf, toWeightedTerm } from '../../../src/memory/search/idf.ts'
import { neighbourBoost } from '../../../src/memory/search/neighbour-boost.ts'
import { parseQuery } from '../../../src/memory/search/parse-query.ts'
import { sumOf, toScore } from '../../../src/memory/search/score.ts'
import { createScorer } from '../../../src/memory/search/scorer.ts'
import { analyze } from '../../../src/text/analyzer.ts'

const worthOf = (query: string, content: string) => {
  const terms = parseQuery(query, ['en']).map((term) => toWeightedTerm(term, 1, 100))
  return sumOf(createScorer(terms, 10)(analyze(content)))
}

test('takes function words for weak, unless there is nothing else', () => {
  expect(parseQuery('what is the deploy key', ['en']).map(({ use }) => use)).toEqual(['weak', 'weak', 'weak', 'rare', 'rare'])
  expect(parseQuery('to be or not to be', ['en']).every(({ use }) => use === 'rare')).toBe(true)
})

test('asks for each word once, in the languages the project is written in', () => {
  expect(parseQuery('key keys KEY', ['en'])).toHaveLength(1)
  expect(parseQuery('productivas', ['es', 'en'])[0]?.forms).toEqual(['productiva', 'product'])
})

test('asks for the first words only, when told how many', () => {
  expect(parseQuery('red green green-blue black', ['en'], 2).map(({ word }) => word)).toEqual(['red', 'green'])
})

test('takes a rare word for more than a common one, and never for less than nothing', () => {
  expect(idf(1, 100)).toBeGreaterThan(idf(50, 100))
  expect(idf(100, 100)).toBeGreaterThan(0)
  expect(idf(7, 0)).toBeGreaterThan(0)
})

test('likes a text that has more of the words, has them in the same form, and earlier', () => {
  expect(worthOf('deploy key', 'the deploy key')).toBeGreaterThan(worthOf('deploy key', 'the deploy lock'))
  expect(worthOf('deploy', 'we deploy')).toBeGreaterThan(worthOf('deploy', 'we deployed'))
  const filler = 'one two three four five six seven eight nine ten'
  expect(worthOf('deploy', `deploy ${filler}`)).toBeGreaterThan(worthOf('deploy', `${filler} deploy`))
  expect(worthOf('deploy', filler)).toBe(0)
})

test('lends a record what its neighbours match and it does not', () => {
  const own = Float64Array.of(1, 0, 0)
  const lent = neighbourBoost(own, { before: [Float64Array.of(0, 1, 0), undefined], after: [Float64Array.of(1, 0, 1)] })
  expect([...lent]).toEqual([1, 0.5, 0.4])
  expect([...own]).toEqual([1, 0, 0])
})

test('scores above 0 and below 1, the same whatever the unit of weights', () => {
  const terms = parseQuery('deploy key', ['en']).map((term) => toWeightedTerm(term, 1, 100))
  const doubled = terms.map((term) => ({ ...term, weight: term.weight * 2 }))
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  expect(toScore(whole / 2, terms)).toBeCloseTo(0.5)
  expect(toScore(whole, terms)).toBeCloseTo(0.75)
  expect(toScore(whole * 2, doubled)).toBeCloseTo(0.75)
  expect(toScore(whole * 5, terms)).toBeLessThan(1)
  expect(toScore(0, [])).toBe(0)
})

test('counts letters added, left out, changed and swapped, as far as it is asked to', () => {
  expect(editDistance('caroline', 'charoline', 2)).toBe(1)
  expect(editDistance('researhc', 'research', 2)).toBe(1)
  expect(editDistance('kitten', 'sitting', 2)).toBe(3)
  expect(editDistance('a', 'abcdef', 2)).toBe(3)
  expect(editDistance('same', 'same', 1)).toBe(0)
})
