import { expect, test } from 'bun:test'
import { toWeightedTerm } from '../../../src/memory/search/postings.ts'
import { parseQuery } from '../../../src/memory/search/query/parse-query.ts'
import { createScorer, sumScores, toScore } from '../../../src/memory/search/score.ts'
import { analyze } from '../../../src/text/analyzer.ts'

const weigh = (query: string) => parseQuery(query, ['en']).map((term) => toWeightedTerm(term, 1, 100))
const scoreOf = (query: string, content: string) => sumScores(createScorer(weigh(query), 10)(analyze(content)))

const FILLER = 'one two three four five six seven eight nine ten'

test('a text scores more for more of the words, for their very form, and for an early place', () => {
  expect(scoreOf('deploy key', 'the deploy key')).toBeGreaterThan(scoreOf('deploy key', 'the deploy lock'))
  expect(scoreOf('deploy', 'we deploy')).toBeGreaterThan(scoreOf('deploy', 'we deployed'))
  expect(scoreOf('deploy', `deploy ${FILLER}`)).toBeGreaterThan(scoreOf('deploy', `${FILLER} deploy`))
})

test('a text without any of the words scores 0', () => {
  expect(scoreOf('deploy', FILLER)).toBe(0)
})

test('half of the weight of a query is a score of 0.5, all of it 0.75, and no score reaches 1', () => {
  const terms = weigh('deploy key')
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  expect(toScore(whole / 2, terms)).toBeCloseTo(0.5)
  expect(toScore(whole, terms)).toBeCloseTo(0.75)
  expect(toScore(whole * 5, terms)).toBeLessThan(1)
})

test('a score does not depend on the unit of weights', () => {
  const terms = weigh('deploy key')
  const doubled = terms.map((term) => ({ ...term, weight: term.weight * 2 }))
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  expect(toScore(whole * 2, doubled)).toBeCloseTo(toScore(whole, terms))
})

test('a query without terms scores 0', () => {
  expect(toScore(0, [])).toBe(0)
})
