import { expect, test } from 'bun:test'
import { diffWords } from '../../src/text/word-diff.ts'

test('names the words that one text has and the other not, and both texts can be had from it', () => {
  const [before, after] = ['The port is 8080 on every machine.', 'The port is 9090 on every machine but one.']
  const parts = diffWords(before, after) ?? []
  expect(parts.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: '8080' },
    { kind: 'added', text: '9090' },
    { kind: 'added', text: ' but one' },
  ])
  const textOf = (left: string) =>
    parts
      .filter(({ kind }) => kind !== left)
      .map(({ text }) => text)
      .join('')
  expect([textOf('added'), textOf('removed')]).toEqual([before, after])
})

test('gives up on texts that have little in common, instead of holding up others', () => {
  const words = (seed: number) => Array.from({ length: 20_000 }, (_, at) => `w${(at * seed) % 65_537}`).join(' ')
  expect(diffWords(words(31), words(17))).toBeUndefined()
})

test('of two texts with other words makes no diff', () => {
  expect(diffWords('Deployments go out on Tuesdays and Thursdays before noon.', 'We ship on every weekday at 16:00.')).toBeUndefined()
})
