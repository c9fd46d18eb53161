import { normalize } from '../../text/normalize.ts'

/**
 * What a UTF-16 unit of lower-case text is to the tokenizer. `SKIPPED` units, such as combining accents, are part of
 * the word around them and have no letter of their own.
 */
export const BLANK = 0
export const LETTER = 1
export const DIGIT = 2
const SIGN = 3
/** A character of a script that is written without blanks: each is a token. */
export const UNSPACED = 4
export const SKIPPED = 5

const TABLE_SIZE = 0x10000
/**
 * By UTF-16 unit its kind, and its letter without an accent, 0 for what is no letter. Built at the first text in some
 * milliseconds.
 */
let tables: { kinds: Uint8Array; letters: Uint16Array } | undefined

export function characterTables(): { kinds: Uint8Array; letters: Uint16Array } {
  tables ??= buildTables()
  return tables
}

/** Letters that have no decomposition. */
const PLAIN = new Map(
  [...'ıiłlđdøoßsæaœeðdþtħhŧtəe'].flatMap((letter, at, all) => (at % 2 === 0 ? [[letter, all[at + 1] ?? letter]] : [])),
)
/** Blocks whose letters lose their accents: Latin, Greek and Cyrillic, and the presentation forms of Arabic. */
const isAccented = (code: number) =>
  code < 0x530 || (code >= 0x1e00 && code < 0x2000) || (code >= 0xfb50 && code < 0xff00)

function buildTables(): { kinds: Uint8Array; letters: Uint16Array } {
  const kinds = new Uint8Array(TABLE_SIZE)
  const letters = new Uint16Array(TABLE_SIZE)
  for (let code = 0; code < TABLE_SIZE; code++) {
    kinds[code] = kindOf(code)
    if (kinds[code] === LETTER) letters[code] = isAccented(code) && code > 127 ? fold(code) : code
  }
  return { kinds, letters }
}

function fold(code: number): number {
  const letter = String.fromCharCode(code)
  return (PLAIN.get(letter) ?? normalize(letter, 'NFKD')).charCodeAt(0)
}

export const isThai = (code: number) => code >= 0x0e00 && code <= 0x0e7f
export const isEastAsian = (code: number) => (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)
export const isHangul = (code: number) => code >= 0xac00 && code <= 0xd7a3
export const isSemitic = (code: number) => code >= 0x0590 && code <= 0x06ff
/** Khmer, Lao, Burmese and Tibetan have no blanks between words either. */
const isUnspaced = (code: number) =>
  isThai(code) ||
  isEastAsian(code) ||
  (code >= 0x0e80 && code <= 0x0fff) ||
  (code >= 0x1000 && code <= 0x109f) ||
  (code >= 0x1780 && code <= 0x17ff)

/** Letters by which beginnings of words are looked up: fewer in scripts of syllables. */
export const keyLengthOf = (code: number) => (code < 0x530 ? 3 : 2)

/** Length of a stem in letters, by script. Words of Hangul have two syllables before their endings. */
const STEM_LENGTH = 5
const SEMITIC_STEM_LENGTH = 4
const HANGUL_STEM_LENGTH = 2
const THAI_STEM_LENGTH = 4
const EAST_ASIAN_STEM_LENGTH = 2

/** Letters of the stem of a word that begins with a letter. */
export function stemLengthOf(code: number): number {
  if (code < 0x590) return STEM_LENGTH
  if (isHangul(code)) return HANGUL_STEM_LENGTH
  if (isEastAsian(code)) return EAST_ASIAN_STEM_LENGTH
  if (isThai(code)) return THAI_STEM_LENGTH
  return isSemitic(code) ? SEMITIC_STEM_LENGTH : STEM_LENGTH
}

function kindOf(code: number): number {
  if (code <= 32 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a)) return BLANK
  if (code >= 48 && code <= 57) return DIGIT
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return LETTER
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba ? LETTER : SIGN
  if (isMark(code)) return SKIPPED
  if (isUnspaced(code)) return UNSPACED
  return isSign(code) ? SIGN : LETTER
}

/** Accents and points of Latin, Cyrillic, Hebrew and Arabic, the tatweel, combining symbols, and what shows nothing. */
const isMark = (code: number) =>
  (code >= 0x300 && code <= 0x36f) ||
  (code >= 0x483 && code <= 0x489) ||
  (code >= 0x591 && code <= 0x5c7) ||
  (code >= 0x64b && code <= 0x652) ||
  code === 0x640 ||
  code === 0x670 ||
  (code >= 0x20d0 && code <= 0x20ff) ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0xfe00 && code <= 0xfe0f)

/** Symbols and punctuation, and halves of characters beyond U+FFFF. */
const isSign = (code: number) =>
  code === 0xd7 ||
  code === 0xf7 ||
  (code >= 0x2000 && code <= 0x2bff) ||
  (code >= 0x3000 && code <= 0x303f) ||
  (code >= 0xd800 && code <= 0xf8ff) ||
  (code >= 0xff00 && code <= 0xff20) ||
  code === 0x60c ||
  code === 0x61b ||
  code === 0x61f ||
  code === 0x6d4 ||
  code === 0x964 ||
  code === 0x965
