import { normalize } from './normalize.ts'
import type { Language } from './stop.ts'

const LATIN_OR_GREEK = /[\p{Script=Latin}\p{Script=Greek}]/u
const MARKS = /\p{M}/gu
/** Vowel signs, tatweel, the dot below and other marks that writers of Arabic, Hebrew and Hindi leave out at will. */
const POINTS = /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c]/g
/** A nasal before a consonant of its own row of the Devanagari alphabet, which may as well be written as a dot above. */
const NASALS = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])/g
const LETTERS: Record<string, string> = {
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
const SPELT = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Spellings that writers take for the same word become one: accents off Latin and Greek, points off Arabic, Hebrew and Hindi. */
export function fold(word: string): string {
  if (isAscii(word)) return word
  const plain = LATIN_OR_GREEK.test(word) ? normalize(normalize(word, 'NFD').replace(MARKS, ''), 'NFC') : word
  return plain
    .replace(POINTS, '')
    .replace(NASALS, '\u0902')
    .replace(SPELT, (letter) => LETTERS[letter] ?? letter)
}

/** A word folded as its language is read: Vietnamese keeps its marks, which alone tell most of its words apart. */
export function foldIn(word: string, language: Language): string {
  return language === 'vi' ? word : fold(word)
}

function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 127) return false
  return true
}
