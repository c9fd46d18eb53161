import { expect, test } from 'bun:test'
import { findQuotes } from '../../../src/history/suggestions/quotes.ts'
import { BOUND_MS, longestTurn } from '../../longest-turn.ts'

test.each([
  ['words that may begin a clause', 'i,'.repeat(240)],
  ['quotation marks', '„»'.repeat(240)],
  ['letters that are many when decomposed', `Immer ${'ﷺ '.repeat(230)}`],
])('hostile prompts let others have their turn: %s', async (_, hostile) => {
  const german = 'Das ist ein ganz normaler Satz, mit dem wir heute arbeiten wollen.\n\n'.repeat(70)
  const texts = [`${'x and '.repeat(80)}.`, german, Array.from({ length: 8 }, () => `${hostile}.`).join('\n\n')]
  const prompts = texts.map((text, line) => ({ line, text }))
  expect(await longestTurn(() => findQuotes(prompts))).toBeLessThan(BOUND_MS)
})

test('of a session with thousands of rules the first hundred are compared', async () => {
  const text = `${'We always do it and never not.\n'.repeat(30)}\n`.repeat(3).trim()
  const prompts = Array.from({ length: 50 }, (_, line) => ({ line, text }))
  expect(await findQuotes(prompts)).toHaveLength(100)
})

test('a prompt of more than a hundred sentences is pasted', async () => {
  const rule = 'Our invoices always have the date on top, never below.'
  const others = (count: number) => Array.from({ length: count }, (_, at) => `Sentence number ${at}.`).join('\n')
  const find = (text: string) => findQuotes([{ line: 1, text }], true)
  expect(await find(`${rule}\n${others(30)}`)).toMatchObject([{ text: rule }])
  expect(await find(`${rule}\n\n${[1, 2, 3, 4].map(() => others(30)).join('\n\n')}`)).toEqual([])
})
