import { expect, test } from 'bun:test'
import { canonicalize } from '../../../src/guard/canonical.ts'
import { stemOf } from '../../../src/guard/classifier/stems.ts'
import { buildClasses, buildTopics } from '../../../src/guard/classifier/word-classes.ts'

const crc = (word: string) => Bun.hash.crc32(word)
const stemHash = (word: string) => {
  const { from, to } = stemOf(word, 0, word.length)
  return crc(word.slice(from, to))
}
const hash = { word: crc, stem: stemHash }
const classes = buildClasses(hash)
const topics = buildTopics(hash, classes)
const about = (word: string) => topics(crc(word), stemHash(word))

test('words of one topic have the same number in every language', () => {
  for (const words of [
    ['invoice', 'facture', 'rechnung', 'fatura', 'счета', 'بل'],
    ['password', 'passwort', 'contraseña', 'senhas', 'hasło', 'пароль', 'पासवर्ड', '密码', '비밀번호를', 'المفاتيح'],
    ['forward', 'schicke', 'envoyez', 'gönderin', 'перешлите', '转发', '送ってください', '보내세요', 'भेजो', 'bhejo', 'أرسل'],
  ]) {
    const [first, ...others] = words.map((word) => about(canonicalize(word)))
    expect(first).toBeGreaterThan(0)
    for (const other of others) expect(other).toBe(first ?? -1)
  }
})

test('a word without a topic has its class, and most words have neither', () => {
  expect(about('overwrite')).toBe(classes(crc('overwrite'), crc('overw')))
  expect(about('zeppelin')).toBe(0)
})
