import { expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../../../src/clock.ts'
import { parseQuery } from '../../../src/memory/search/query/parse-query.ts'
import {
  type Circumstances,
  combineShares,
  createCover,
  createScorer,
  createSharesOf,
  MAX_NEWNESS,
  newnessOf,
  type TermScores,
  toRank,
  toScore,
} from '../../../src/memory/search/score.ts'
import { toWeightedTerm, type WeightedTerm } from '../../../src/memory/search/weigh-term.ts'
import { analyze } from '../../../src/text/analyzer.ts'

const weigh = async (query: string) => (await parseQuery(query, ['en'])).map((term) => toWeightedTerm(term, 1, 100))
const shareOf = (terms: WeightedTerm[], scores: TermScores) => combineShares(createSharesOf(terms)(scores), 0)
const FRESH: Circumstances = { newness: 1, isStale: false }
const rankOf = async (query: string, content: string) => {
  const terms = await weigh(query)
  return toRank(shareOf(terms, createScorer(terms, 10)(analyze(content))), FRESH)
}

const FILLER = 'one two three four five six seven eight nine ten'

test('a text ranks higher for more of the words, for their very form, and for an early place', async () => {
  expect(await rankOf('deploy key', 'the deploy key')).toBeGreaterThan(await rankOf('deploy key', 'the deploy lock'))
  expect(await rankOf('deploy', 'we deploy')).toBeGreaterThan(await rankOf('deploy', 'we deployed'))
  expect(await rankOf('deploy', `deploy ${FILLER}`)).toBeGreaterThan(await rankOf('deploy', `${FILLER} deploy`))
})

test('a text without any of the words ranks nowhere', async () => {
  expect(await rankOf('deploy', FILLER)).toBe(0)
})

test('half of the weight of a query is a score of 0.5, all of it 0.94, and no score reaches 1', async () => {
  const terms = await weigh('deploy key')
  const matched = (...times: number[]) =>
    toScore(
      shareOf(terms, createCover(terms)(Float64Array.from(terms, ({ weight }, at) => weight * (times[at] ?? 0)))),
      FRESH,
    )
  expect(matched(1 / 2, 1 / 2)).toBeCloseTo(0.5)
  expect(matched(1, 1)).toBeCloseTo(0.94)
  expect(matched(5, 0)).toBeCloseTo(matched(1.3, 0))
  expect(matched(5, 0)).toBeLessThan(matched(1, 1))
  expect(matched(5, 5)).toBeLessThan(0.985)
})

test('scores of fresh records have the order of their ranks, and a stale one has half the score', () => {
  const shares = [0.01, 0.1, 0.3, 0.5, 0.75, 1, 1.3]
  for (const of of [toRank, toScore]) {
    const values = shares.map((share) => of(share, FRESH))
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b))
    expect(of(1, { newness: 1, isStale: true })).toBeCloseTo(of(1, FRESH) / 2)
  }
})

test('newness changes a score by at most 2 %', () => {
  for (const share of [0.01, 0.5, 1, 2]) {
    const newer = toScore(share, { newness: MAX_NEWNESS, isStale: false })
    expect(newer / toScore(share, FRESH)).toBeWithin(1, MAX_NEWNESS + 1e-9)
  }
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
  expect(toScore(shareOf([], new Float64Array()), FRESH)).toBe(0)
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
