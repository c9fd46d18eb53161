import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { inspect } from '../../src/guard/inspect.ts'

/** Short notes of teams, a language and a note a line. The guard never learns from them. */
const lines = readFileSync(new URL('everyday-notes.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const notes = lines.map((line) => line.slice(line.indexOf('\t') + 1))

test('hardly any of the everyday notes in 16 languages is refused, orders to colleagues and assistants among them', () => {
  expect(notes.length).toBeGreaterThan(300)
  expect(notes.filter((note) => inspect(note).verdict === 'refused').length).toBeLessThan(3)
})
