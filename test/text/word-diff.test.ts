import { expect, test } from 'bun:test'
import { diffLines, diffWords } from '../../src/text/word-diff.ts'

test('names the words that one text has and the other not, and both texts can be had from it', async () => {
  const [before, after] = ['The port is 8080 on every machine.', 'The port is 9090 on every machine but one.']
  const parts = (await diffWords(before, after)) ?? []
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

test.each([
  ['Cyrillic', 'Сервер стоит в Берлине.', 'Сервер стоит в Бремене.', ['-Берлине', '+Бремене']],
  ['Greek with accents', 'Η θύρα είναι ανοιχτή.', 'Η θύρα είναι ανοικτή.', ['-ανοιχτή', '+ανοικτή']],
  ['Arabic', 'يعمل الخادم على المنفذ ٨٠٨٠', 'يعمل الخادم على المنفذ ٩٠٩٠', ['-٨٠٨٠', '+٩٠٩٠']],
  ['Devanagari', 'सर्वर का पोर्ट ८०८० है', 'सर्वर का पोर्ट ९०९० है', ['-८०८०', '+९०९०']],
  ['Thai', 'เซิร์ฟเวอร์อยู่ที่กรุงเทพ', 'เซิร์ฟเวอร์อยู่ที่เชียงใหม่', ['-กรุงเทพ', '+เชียงใหม่']],
  ['Han', '服务器部署在北京。', '服务器部署在南京。', ['-北京', '+南京']],
  ['Hangul', '서버는 베를린에 있다.', '서버는 브레멘에 있다.', ['-베를린에', '+브레멘에']],
  ['letters with combining marks', 'the cafe\u0301 is open', 'the cafe is open', ['-cafe\u0301', '+cafe']],
])('cuts no word: %s', async (_script, before, after, changed) => {
  const parts = (await diffWords(before, after))?.filter(({ kind }) => kind !== 'same')
  expect(parts?.map(({ kind, text }) => `${kind === 'added' ? '+' : '-'}${text}`)).toEqual(changed)
})

test('gives up on texts that have little in common, instead of holding up others', async () => {
  const words = (seed: number) => Array.from({ length: 20_000 }, (_, at) => `w${(at * seed) % 65_537}`).join(' ')
  expect(await diffWords(words(31), words(17))).toBeUndefined()
})

test('of two texts with other words makes no diff', async () => {
  expect(
    await diffWords('Deployments go out on Tuesdays and Thursdays before noon.', 'We ship on every weekday at 16:00.'),
  ).toBeUndefined()
})

test('lines that differ are told from those that both texts have; with too many of them all differ', () => {
  expect(diffLines('a\nb\nc', 'a\nx\nc')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'x' },
    { kind: 'same', text: 'c' },
  ])
  const long = 'a\n'.repeat(5_000)
  expect(diffLines(long, `${long}b`).map(({ kind }) => kind)).toEqual(['removed', 'added'])
})
