import { expect, test } from 'bun:test'
import { toWeightedTerm, type WeightedTerm } from '../../../src/memory/search/postings.ts'
import { parseQuery } from '../../../src/memory/search/query/parse-query.ts'
import { combineShares, createScorer, createSharesOf, type TermScores, toScore } from '../../../src/memory/search/score.ts'
import { analyze } from '../../../src/text/analyzer.ts'

const weigh = async (query: string) => (await parseQuery(query, ['en'])).map((term) => toWeightedTerm(term, 1, 100))
const shareOf = (terms: WeightedTerm[], scores: TermScores) => combineShares(createSharesOf(terms)(scores))
const scoreOf = async (query: string, content: string) => {
  const terms = await weigh(query)
  return toScore(shareOf(terms, createScorer(terms, 10)(analyze(content))))
}

const FILLER = 'one two three four five six seven eight nine ten'

test('a text scores more for more of the words, for their very form, and for an early place', async () => {
  expect(await scoreOf('deploy key', 'the deploy key')).toBeGreaterThan(await scoreOf('deploy key', 'the deploy lock'))
  expect(await scoreOf('deploy', 'we deploy')).toBeGreaterThan(await scoreOf('deploy', 'we deployed'))
  expect(await scoreOf('deploy', `deploy ${FILLER}`)).toBeGreaterThan(await scoreOf('deploy', `${FILLER} deploy`))
})

test('a text without any of the words scores 0', async () => {
  expect(await scoreOf('deploy', FILLER)).toBe(0)
})

test('half of the weight of a query is a score of 0.5, all of it 0.75, and no score reaches 1', async () => {
  const terms = await weigh('deploy key')
  const matched = (times: number) => Float64Array.from(terms, ({ weight }) => weight * times)
  expect(toScore(shareOf(terms, matched(1 / 2)))).toBeCloseTo(0.5)
  expect(toScore(shareOf(terms, matched(1)))).toBeCloseTo(0.75)
  expect(toScore(shareOf(terms, matched(5)))).toBeLessThan(1)
})

test('a score does not depend on the unit of weights', async () => {
  const terms = await weigh('deploy key')
  const doubled = terms.map((term) => ({ ...term, weight: term.weight * 2 }))
  const scores = Float64Array.from(terms, ({ weight }) => weight)
  expect(
    shareOf(
      doubled,
      scores.map((score) => score * 2),
    ),
  ).toBeCloseTo(shareOf(terms, scores))
})

test('a query without terms scores 0', () => {
  expect(toScore(shareOf([], new Float64Array()))).toBe(0)
})
