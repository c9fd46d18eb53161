import { isAscii } from './ascii.ts'
import type { Language } from './language.ts'
import { normalize } from './normalize.ts'

const LATIN_OR_GREEK = /[\p{Script=Latin}\p{Script=Greek}]/u
const MARKS = /\p{M}/gu
/** Marks that Arabic, Hebrew and Hindi are written with or without: vowel signs, the tatweel, the nukta. */
const OPTIONAL_MARKS = /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c]/g
/**
 * A nasal before a consonant of its own row of the Devanagari alphabet, which is also written as an anusvara, U+0902.
 */
const DEVANAGARI_NASALS = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])/g
/** Letters that are spelled in two ways, and the spelling that is indexed. */
const SPELLINGS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
  ʼ: '',
  ё: 'е',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ۀ: 'ه',
  ہ: 'ه',
  ۂ: 'ه',
  ے: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  '\u0901': '\u0902',
}
const SPELLED_LETTERS = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g')

/**
 * Brings the spellings of a lower-case word into one: removes accents from Latin and Greek letters and optional marks
 * from Arabic, Hebrew and Hindi ones.
 */
export function fold(word: string): string {
  if (isAscii(word)) return word
  const bare = LATIN_OR_GREEK.test(word) ? normalize(normalize(word, 'NFD').replace(MARKS, ''), 'NFC') : word
  return bare
    .replace(OPTIONAL_MARKS, '')
    .replace(DEVANAGARI_NASALS, '\u0902')
    .replace(SPELLED_LETTERS, (letter) => SPELLINGS[letter] ?? letter)
}

/**
 * `fold` for a word of a known language: Vietnamese words are not folded, since most of them differ by their accents
 * alone.
 */
export function foldIn(word: string, language: Language): string {
  return language === 'vi' ? word : fold(word)
}
