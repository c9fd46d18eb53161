import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { finish } from '../../src/cooperative.ts'
import { isBoundary, type NormalForm, normalize, normalizeInSteps, toStreamSafe } from '../../src/text/normalize.ts'

const SRC = join(import.meta.dir, '../../src')
const FORMS: NormalForm[] = ['NFC', 'NFD', 'NFKC', 'NFKD']
const JOINER = '\u034f'

test('nothing else in the code normalizes text: a run of marks would take quadratic time', async () => {
  const users: string[] = []
  for await (const file of new Bun.Glob('**/*.ts').scan(SRC)) {
    const code = (await Bun.file(join(SRC, file)).text()).replace(/\/\*[\s\S]*?\*\/|^ *\/\/.*/gm, '')
    if (/(?<!\.)\.normalize\b|\[['"`]normalize/.test(code)) users.push(file)
  }
  expect(users).toEqual(['text/normalize.ts'])
})

test('text without a run of more than 30 non-starters is normalized as by String.prototype.normalize', () => {
  const scraps = fc.constantFrom(
    'a',
    'é',
    'e\u0301',
    'ệ',
    '각',
    '\u1100\u1161',
    'ｶﾞ',
    'ﬁ',
    '﷽',
    'नि',
    '字',
    '\u0345',
    '\u0316',
    '👩‍👧',
    '\ud800',
    ' ',
  )
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: scraps, maxLength: 30 }))
  fc.assert(
    fc.property(texts, fc.constantFrom(...FORMS), (text, form) => {
      expect(normalize(text, form)).toBe(text.normalize(form))
    }),
    { numRuns: 2_000 },
  )
})

test('inserts a combining grapheme joiner after every 30 non-starters in a row, as the stream-safe text format does', () => {
  expect(toStreamSafe(`a${'\u0301'.repeat(30)}`)).toBe(`a${'\u0301'.repeat(30)}`)
  expect(toStreamSafe(`a${'\u0301'.repeat(31)}b`)).toBe(`a${'\u0301'.repeat(30)}${JOINER}\u0301b`)
  // The two accents of the letter count, and a mark that decomposes to two counts twice.
  expect(toStreamSafe(`ệ${'\u0301'.repeat(29)}`)).toBe(`ệ${'\u0301'.repeat(28)}${JOINER}\u0301`)
  expect(toStreamSafe(`a${'\u0344'.repeat(16)}`)).toBe(`a${'\u0344'.repeat(15)}${JOINER}\u0344`)
  expect(toStreamSafe(`カ${'ﾞ'.repeat(31)}`)).toBe(`カ${'ﾞ'.repeat(30)}${JOINER}ﾞ`)
  // Devanagari vowel signs are marks, but starters.
  expect(toStreamSafe('\u093f'.repeat(100))).toBe('\u093f'.repeat(100))
})

test('no run in normalized text is longer than 30 non-starters, so that ordering them takes linear time', () => {
  const marks = fc.constantFrom(
    '\u0301',
    '\u0316',
    '\u0345',
    '\u0344',
    '\u3099',
    'ﾞ',
    '\u{1d165}',
    '\u05b0',
    'ệ',
    '\u1dc4',
  )
  fc.assert(
    fc.property(fc.string({ unit: marks, minLength: 40, maxLength: 400 }), fc.constantFrom(...FORMS), (text, form) => {
      const normalized = normalize(text, form)
      expect(longestRun(normalized.normalize('NFKD'))).toBeLessThanOrEqual(30)
      expect(normalized.replaceAll(JOINER, '').normalize('NFD')).toBe(text.normalize(form).normalize('NFD'))
    }),
  )
})

/**
 * The most characters in a row that canonical ordering moves: those that it orders before U+0345, whose combining class
 * is the highest.
 */
function longestRun(text: string): number {
  let longest = 0
  let run = 0
  for (const character of text) {
    run = character === '\u0345' || `\u0345${character}`.normalize('NFD')[0] !== '\u0345' ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

test('normalizes a text in pieces to the same as at once', () => {
  for (const piece of [
    'a\u0301',
    'ệ',
    '\u1100\u1161\u11a8',
    '각',
    'ｶﾞ',
    '﷽',
    '字',
    '\u{16d63}\u{16d67}\u{16d67}',
    '\ud83d\ude00',
    '\u0301\u0316',
  ]) {
    const text = piece.repeat(40_000)
    for (const form of FORMS) expect(finish(normalizeInSteps(text, form)) === normalize(text, form)).toBe(true)
  }
})

test('a boundary is never before a character that is composed with the one before it', () => {
  const composed: string[] = []
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const [, ...rest] = String.fromCodePoint(codePoint).normalize('NFD')
    const last = rest.at(-1)
    if (last !== undefined && isBoundary(last, 0)) composed.push(`U+${codePoint.toString(16)}`)
  }
  expect(composed).toEqual([])
})
