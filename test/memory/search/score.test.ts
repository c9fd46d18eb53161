import { expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../../../src/clock.ts'
import { toWeightedTerm, type WeightedTerm } from '../../../src/memory/search/postings.ts'
import { parseQuery } from '../../../src/memory/search/query/parse-query.ts'
import {
  combineShares,
  createScorer,
  createSharesOf,
  MAX_NEWNESS,
  newnessOf,
  type TermScores,
  toScore,
} from '../../../src/memory/search/score.ts'
import { analyze } from '../../../src/text/analyzer.ts'

const weigh = async (query: string) => (await parseQuery(query, ['en'])).map((term) => toWeightedTerm(term, 1, 100))
const shareOf = (terms: WeightedTerm[], scores: TermScores) => combineShares(createSharesOf(terms)(scores), 0)
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

test('of equal matches the last saved counts most, by at most 2 %, and all day the same', () => {
  const now = Date.UTC(2026, 0, 15, 12)
  const newness = (days: number, refreshedAt: number | null = null) =>
    newnessOf({ createdAt: now - days * DAY_MS, refreshedAt }, now)
  const falling = [0, 1, 7, 30, 365, 3650].map((days) => newness(days))
  expect(falling).toEqual(falling.toSorted((a, b) => b - a))
  expect(newness(365, now)).toBe(newness(0))
  for (const one of [...falling, newness(-10)]) expect(one).toBeWithin(1, MAX_NEWNESS + 1e-9)
  expect(newness(0) - newness(30)).toBeGreaterThan(0.008)
  const saved = { createdAt: now, refreshedAt: null }
  expect(newnessOf(saved, now + 11 * HOUR_MS)).toBe(newnessOf(saved, now))
})
