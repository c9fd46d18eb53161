import { expect, test } from 'bun:test'
import { canonicalize } from '../../../src/guard/canonical.ts'
import { buildClasses, buildTopics } from '../../../src/guard/classifier/word-classes.ts'

const crc = (text: string, from: number, to: number) => Bun.hash.crc32(text.slice(from, to))
const classes = buildClasses(crc)
const topics = buildTopics(crc, classes)
const about = (word: string) => topics(crc(word, 0, word.length), word, 0, word.length)

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
  expect(about('overwrite')).toBe(classes(crc('overwrite', 0, 9), 'overwrite', 0, 9))
  expect(about('zeppelin')).toBe(0)
})

test('a word with an open end stands for the words that begin with it, and for no other of the same first letters', () => {
  expect(about('attachments')).toBe(about('file'))
  expect(about('attacks')).not.toBe(about('file'))
  expect(about('confirming')).toBe(about('approve'))
  expect(about('configuration')).not.toBe(about('approve'))
})

test('common English words are of no topic by the accident of a word in another language', () => {
  for (const word of ['that', 'on', 'at', 'am', 'her']) expect(about(word)).not.toBe(about('failed'))
  expect(about('cache')).not.toBe(about('secretly'))
})
