import { expect, test } from 'bun:test'
import { canonicalize } from '../../../src/guard/canonical.ts'
import { buildClasses, buildTopics } from '../../../src/guard/classifier/word-classes.ts'

const hash = (word: string) => Bun.hash.crc32(word)
const classes = buildClasses(hash)
const topics = buildTopics(hash, classes)
const about = (word: string) => topics(hash(word), hash(word.slice(0, 5)))

test('words of one topic have the same number in every language', () => {
  for (const words of [
    ['invoice', 'facture', 'rechnung', 'fatura', 'счета', 'بل'],
    ['password', 'passwort', 'contraseña', 'senhas', 'hasło', 'пароль', 'पासवर्ड'],
  ]) {
    const [first, ...others] = words.map((word) => about(canonicalize(word)))
    expect(first).toBeGreaterThan(0)
    for (const other of others) expect(other).toBe(first ?? -1)
  }
})

test('a word without a topic has its class, and most words have neither', () => {
  expect(about('disregard')).toBe(classes(hash('disregard'), hash('disre')))
  expect(about('zeppelin')).toBe(0)
})
