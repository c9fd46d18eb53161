import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { analyze } from '../../src/text/analyzer.ts'
import { formOf, packTokenCodes, termOf, unpackTokenCodes } from '../../src/text/token-codes.ts'

const termsOf = (text: string) => analyze(text).terms.split(' ')
const shared = (one: string, other: string) => termsOf(one).filter((term) => termsOf(other).includes(term))

test('gives the forms of an English word one term, irregular forms too', () => {
  expect(shared('running', 'ran')).toHaveLength(1)
  expect(shared('children', 'child')).toHaveLength(1)
  expect(shared("Caroline's", 'Caroline')).toHaveLength(1)
  expect(shared('organised', 'organising')).toHaveLength(1)
})

test('detects the language by its function words and stems in it', () => {
  const spanish = 'Las organizaciones que son las más productivas'
  expect(analyze(spanish).language).toBe('es')
  expect(shared(spanish, 'una organización de la que se habla')).toContain('organiz')
  expect(analyze('Der Wasserhahn ist nicht in der Küche').language).toBe('de')
  expect(analyze('Docker Compose restart policy').language).toBe('en')
})

test('detects the language of a short text without function words by groups of letters that few languages have', () => {
  expect(analyze('Tiskikone tyhjennetään ennen kello kahdeksaa').language).toBe('fi')
  expect(analyze('Die Stromrechnung kommt immer Mitte Februar').language).toBe('de')
  expect(analyze('De kelderhuur bedraagt 140 euro per maand').language).toBe('nl')
  expect(analyze('Medlemmarna betalade avgifterna').language).toBe('sv')
  expect(analyze('Forsikringerne og ulykkerne: afmeldelse').language).toBe('da')
  expect(analyze('bucket.touch_count: join(point, socket) else ticket aaguid').language).toBe('en')
})

test('ignores accents, letter case, full width and vowel signs', () => {
  expect(termsOf('Café')).toEqual(termsOf('cafe'))
  expect(termsOf('ＡＰＩ')).toEqual(termsOf('api'))
  expect(termsOf('Straße')).toEqual(termsOf('strasse'))
  expect(termsOf('ΑΘΗΝΑ')).toEqual(termsOf('Αθήνα'))
  expect(termsOf('ёлка')).toEqual(termsOf('елка'))
  expect(termsOf('مُدَرِّسَة')).toEqual(termsOf('مدرسة'))
  expect(termsOf('ﬁle')).toEqual(termsOf('file'))
})

test('separates elided articles and endings behind an apostrophe from the word', () => {
  const pairs = [
    'l’homme homme',
    "dell'arte arte",
    "tutt'altro altro",
    "quelqu'un un",
    "jusqu'ici ici",
    "qu'elle elle",
    "d'été été",
  ]
  for (const [elided = '', plain = ''] of pairs.map((pair) => pair.split(' ')))
    expect(shared(elided, plain)).toHaveLength(1)
  expect(termsOf("don't")).toEqual(['dont'])
  expect(termsOf("комп'ютер")).toEqual(termsOf('компʼютер'))
  expect(shared("Bu İzmir'e giden yol için bir harita", 'İzmir ile bu ve bir')).toContain('izmir')
  expect(shared('İSTANBUL', 'istanbul')).toHaveLength(1)
  expect(shared('IŞIK', 'ışık')).toHaveLength(1)
})

test('gives the digits of every script the same terms', () => {
  for (const written of ['१२३', '١٢٣', '۱۲۳', '১২৩', '๑๒๓', '１２３']) expect(termsOf(written)).toEqual(['123'])
})

test('gives spellings of Hindi the same terms: with or without a nukta, a nasal as a letter or an anusvara', () => {
  expect(termsOf('हिन्दी')).toEqual(termsOf('हिंदी'))
  expect(termsOf('सम्पादक')).toEqual(termsOf('संपादक'))
  expect(termsOf('फ़ाइल')).toEqual(termsOf('फाइल'))
  expect(termsOf('चाँद')).toEqual(termsOf('चांद'))
})

test('gives the Persian and Urdu forms of Arabic letters the same terms', () => {
  expect(termsOf('مسئول')).toEqual(termsOf('مسيول'))
  expect(termsOf('کتاب')).toEqual(termsOf('كتاب'))
})

test('detects Persian and Hebrew, and stems a Persian word with a separate ending', () => {
  expect(analyze('این برنامه برای چاپ است').language).toBe('fa')
  expect(analyze('هذا البرنامج من أجل الطباعة').language).toBe('ar')
  expect(analyze('זה לא של התוכנה').language).toBe('he')
  expect(shared('این کتاب‌ها را چاپ کنید', 'این کتاب را')).toContain('كتاب')
  expect(shared('این کتابها را چاپ کنید', 'این کتاب را')).toContain('كتاب')
})

test('keeps the accents of Vietnamese, by which its words differ', () => {
  expect(analyze('Một bảng tính là của người dùng').language).toBe('vi')
  expect(shared('bảng tính được mở', 'bằng tinh được mở')).toEqual(['được', 'mở'])
})

test('gives derived words and compounds of one stem the same term in languages with many of them', () => {
  expect(shared('Nie ma jeszcze bazy danych dla wszystkich użytkowników', 'dla użytkownik się nie ma')).toContain(
    'uzytko',
  )
  expect(shared('To je nastavení pro všechny programy', 'kde je programování a jak se to dělá')).toContain('progra')
  expect(shared('Die Verbindungen sind nicht da', 'Der Verbindungsfehler ist da')).toContain('verbin')
  expect(shared('организация', 'организовать')).toHaveLength(1)
  expect(shared('использовать', 'использование')).toHaveLength(1)
  expect(shared('προγράμματα', 'προγραμματισμός')).toHaveLength(1)
})

test('gives the forms of a word the same term in scripts without a stemmer', () => {
  for (const [one, other] of [
    'ব্যবহারকারী ব্যবহারকারীদের',
    'பயன்படுத்த பயன்படுத்தும்',
    'వినియోగదారు వినియోగదారులకు',
    'वापरकर्ता वापरकर्त्याचे',
    'მომხმარებელი მომხმარებლის',
  ].map((pair) => pair.split(' ')))
    expect(shared(one ?? '', other ?? '')).toHaveLength(1)
})

test('does not truncate a joined compound, in any language', () => {
  const german = 'Die Funktion getUserById ist nicht in der Datenbank'
  expect(analyze(german).language).toBe('de')
  expect(termsOf(german)).toContain('getuserbyid')
})

test('removes the article and endings of an Arabic word', () => {
  expect(shared('والمدارس', 'مدارس')).toHaveLength(1)
})

test('gives the parts of an identifier and the whole as terms', () => {
  expect(termsOf('getUserById')).toEqual(['get', 'user', 'by', 'id', 'getuserbyid'])
  expect(termsOf('user_id')).toEqual(['user', 'id', 'userid'])
  expect(termsOf('HTTPServer2')).toEqual(['http', 'server', '2', 'httpserver2'])
  expect(termsOf('ECONNREFUSED')).toEqual(termsOf('econnrefused'))
  expect(shared('see src/db/schema.ts:12', 'schema.ts')).toHaveLength(3)
})

test('ignores the plural of an acronym', () => {
  expect(shared('APIs', 'API')).toEqual(['api'])
  expect(shared('userIDs', 'user id')).toEqual(['user', 'id'])
})

test('gives each name of a dotted one as a term, in whatever case it is written', () => {
  for (const written of ['getUserById', 'get_user_by_id', 'getuserbyid', 'get-user-by-id'])
    expect(shared('api.users.get_user_by_id', written)).toContain('getuserbyid')
})

test('does not split hashes and hexadecimal numbers', () => {
  expect(termsOf('9f86d081884c7d65')).toEqual(['9f86d081884c7d65'])
  expect(termsOf('550e8400-e29b-41d4')).toEqual(['550e8400', 'e29b', '41d4', '550e8400e29b41d4'])
  expect(shared('0x80070005', '80070005')).toEqual(['80070005'])
  expect(shared('0xC0FFEE12', 'c0ffee12')).toEqual(['c0ffee12'])
  expect(shared('fails with E1234', 'e-1234')).toContain('e1234')
  expect(termsOf('feb2024')).toEqual(['feb', '2024', 'feb2024'])
})

test('gives the version in a package, a file name and an address as a term', () => {
  expect(shared('lodash@4.17.21', 'lodash 4.17.21')).toHaveLength(3)
  expect(shared('libfoo-1.2.3.tar.gz', '1.2.3')).toHaveLength(2)
  expect(shared('python3.11', 'Python 3.11')).toHaveLength(2)
  expect(shared('10.1.2.3:8080', '10.1.2.3')).toHaveLength(3)
  expect(shared('am 15.01.2024', '2024')).toEqual(['2024'])
})

test('gives a version and its prefixes as terms', () => {
  expect(shared('since v1.2.3 it works', '1.2.3')).toHaveLength(2)
  expect(shared('since v1.2.3 it works', '1.2')).toHaveLength(1)
  expect(shared('since v1.2.3 it works', '1.3')).toEqual([])
})

test('distinguishes C++ and C#', () => {
  expect(shared('written in C++', 'C#')).toEqual(['c'])
  expect(shared('written in C++', 'c++')).toHaveLength(2)
})

test('ignores thousands separators', () => {
  expect(termsOf('1,000,000')).toEqual(['1000000'])
  expect(termsOf('1,2')).toEqual(['1', '2'])
})

test('gives n-grams of scripts without spaces', () => {
  expect(termsOf('战国无双')).toEqual(['战国', '国无', '无双', '双'])
  expect(shared('학교에서', '학교')).toContain('학교')
  expect(shared('สวัสดีครับ', 'สวัสดี').length).toBeGreaterThan(2)
})

test('gives a pictograph as a term', () => {
  expect(shared('the party 🎉 was great', '🎉')).toEqual(['🎉'])
  expect(shared('the office in 🇫🇷', '🇫🇷')).toHaveLength(2)
})

test('gives no term of punctuation', () => {
  expect(analyze(' .,;:!? -- /// ... “” ').terms).toBe('')
})

test('counts the words of a million characters of anything', () => {
  const tokens: [string, number][] = [
    ['a', 3_907],
    ['a.', 500_000],
    ['字', 996_093],
    ['😀', 500_000],
    ['\u0301', 4_037],
    ['\ud800', 1],
    ["'", 1],
    ['the ', 250_000],
    ['aB', 503_907],
    [',111', 2_930],
    ['﷽', 1],
    ['\u200d', 1],
    ['ก', 992_186],
  ]
  const analyzed = tokens.map(([piece]) => [piece, analyze(piece.repeat(1_000_000 / piece.length)).length])
  expect(analyzed).toEqual(tokens)
})

test('gives the same terms for the same text, of characters that the tokenizer of the index does not split at', () => {
  const scraps = fc.constantFrom(
    "'",
    '’',
    '.',
    '-',
    '5',
    'a',
    'É',
    'İ',
    '字',
    'ก',
    ' ',
    '#',
    '+',
    'ß',
    '١',
    '½',
    '\u0301',
    '\ud800',
    '👩',
    '\u200d',
  )
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: scraps, maxLength: 60 }))
  fc.assert(
    fc.property(texts, (text) => {
      const { terms } = analyze(text)
      expect(analyze(text).terms).toBe(terms)
      expect(terms).toMatch(/^[a-z0-9 \u{80}-\u{10ffff}]*$/u)
    }),
    { numRuns: 2_000 },
  )
})

test('gives the terms of a repeated word once, and its token codes each time', () => {
  const { terms, codes, length } = analyze('Tests test the tests, and the tests')
  expect(terms).toBe('test test the test and')
  expect([codes.length, length]).toEqual([7, 7])
})

test('gives the same for a text by itself and after many others', () => {
  const texts = [
    'Running fast through getUserById',
    'Las organizaciones que son las más productivas',
    '战国无双 🎉',
    "don't l'eau",
  ]
  const before = texts.map(analyze)
  const others = Array.from({ length: 100_000 }, (_, at) =>
    at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit))),
  )
  const all = analyze([...texts, ...others].join(' '))
  expect(all.codes.length).toBe(before.flatMap(({ codes }) => [...codes]).length + others.length)
  for (let at = 0; at < others.length; at += 10) analyze(others.slice(at, at + 10).join(' '))
  expect(texts.map(analyze)).toEqual(before)
})

test('token codes tell term and form of a word', () => {
  const [running = 0] = analyze('Running fast').codes
  const [runs = 0] = analyze('runs').codes
  expect(termOf(running)).toBe(termOf(runs))
  expect(formOf(running)).not.toBe(formOf(runs))
})

test('unpacks the token codes that were packed', () => {
  const { codes } = analyze('What is the name of the dog that Caroline adopted? The 字 🎉 getUserById')
  expect(unpackTokenCodes(packTokenCodes(codes))).toEqual(codes)
  expect(packTokenCodes(codes).length).toBeLessThan(codes.length * 4)
  fc.assert(
    fc.property(fc.uint32Array({ max: 192 * 2 ** 16 - 1 }), (any) =>
      expect(unpackTokenCodes(packTokenCodes(any))).toEqual(any),
    ),
  )
})
