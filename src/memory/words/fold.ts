const LATIN_OR_GREEK = /[\p{Script=Latin}\p{Script=Greek}]/u
const MARKS = /\p{M}/gu
/** Vowel signs, tatweel and other marks that Arabic and Hebrew writers leave out at will. */
const POINTS = /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g
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
  ё: 'е',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
}
const SPELT = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Spellings that writers take for the same word become one: accents off Latin and Greek, points off Arabic and Hebrew. */
export function fold(word: string): string {
  if (isAscii(word)) return word
  const plain = LATIN_OR_GREEK.test(word) ? word.normalize('NFD').replace(MARKS, '').normalize('NFC') : word
  return plain.replace(POINTS, '').replace(SPELT, (letter) => LETTERS[letter] ?? letter)
}

function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 127) return false
  return true
}
