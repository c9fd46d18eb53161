import { expect, test } from 'bun:test'
import { ask } from '../../../src/memory/rank/ask.ts'
import { edits } from '../../../src/memory/rank/edits.ts'
import { lend } from '../../../src/memory/rank/lend.ts'
import { createMatcher } from '../../../src/memory/rank/match.ts'
import { sumOf, toScore } from '../../../src/memory/rank/to-score.ts'
import { rarity, weigh } from '../../../src/memory/rank/weigh.ts'
import { analyse } from '../../../src/memory/words/analyse.ts'

const worthOf = (query: string, content: string) => {
  const terms = ask(query, ['en']).map((term) => weigh(term, 1, 100))
  return sumOf(createMatcher(terms, 10)(analyse(content)))
}

test('takes function words for weak, unless there is nothing else', () => {
  expect(ask('what is the deploy key', ['en']).map(({ use }) => use)).toEqual(['weak', 'weak', 'weak', 'rare', 'rare'])
  expect(ask('to be or not to be', ['en']).every(({ use }) => use === 'rare')).toBe(true)
})

test('asks for each word once, in the languages the project is written in', () => {
  expect(ask('key keys KEY', ['en'])).toHaveLength(1)
  expect(ask('productivas', ['es', 'en'])[0]?.forms).toEqual(['productiva', 'product'])
})

test('asks for the first words only, when told how many', () => {
  expect(ask('red green green-blue black', ['en'], 2).map(({ word }) => word)).toEqual(['red', 'green'])
})

test('takes a rare word for more than a common one, and never for less than nothing', () => {
  expect(rarity(1, 100)).toBeGreaterThan(rarity(50, 100))
  expect(rarity(100, 100)).toBeGreaterThan(0)
  expect(rarity(7, 0)).toBeGreaterThan(0)
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
  const lent = lend(own, { before: [Float64Array.of(0, 1, 0), undefined], after: [Float64Array.of(1, 0, 1)] })
  expect([...lent]).toEqual([1, 0.5, 0.4])
  expect([...own]).toEqual([1, 0, 0])
})

test('scores above 0 and below 1, the same whatever the unit of weights', () => {
  const terms = ask('deploy key', ['en']).map((term) => weigh(term, 1, 100))
  const doubled = terms.map((term) => ({ ...term, weight: term.weight * 2 }))
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  expect(toScore(whole / 2, terms)).toBeCloseTo(0.5)
  expect(toScore(whole, terms)).toBeCloseTo(0.75)
  expect(toScore(whole * 2, doubled)).toBeCloseTo(0.75)
  expect(toScore(whole * 5, terms)).toBeLessThan(1)
  expect(toScore(0, [])).toBe(0)
})

test('counts letters added, left out, changed and swapped, as far as it is asked to', () => {
  expect(edits('caroline', 'charoline', 2)).toBe(1)
  expect(edits('researhc', 'research', 2)).toBe(1)
  expect(edits('kitten', 'sitting', 2)).toBe(3)
  expect(edits('a', 'abcdef', 2)).toBe(3)
  expect(edits('same', 'same', 1)).toBe(0)
})
