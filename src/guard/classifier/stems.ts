/** The stem of a word in a text: from one position up to another. `longest`: the end of the longest beginning of the word that a list may name. */
type Range = { from: number; to: number; longest: number }

/**
 * Length of a stem in letters, by script. Words of Hangul have two syllables before their endings. Han, Kana and Thai have no spaces: there, a stem is this
 * many characters from any position.
 */
const LENGTH = 5
const SEMITIC_LENGTH = 4
const HANGUL_LENGTH = 2
const THAI_LENGTH = 4
const EAST_ASIAN_LENGTH = 2
/** Letters of the longest beginning of a word by which a list may name it: with those of a stem alone, `attack` would be one of `attachment*`. */
const LONGEST_LENGTH = 8

const isThai = (code: number) => code >= 0x0e00 && code <= 0x0e7f
const isEastAsian = (code: number) => (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)
const isHangul = (code: number) => code >= 0xac00 && code <= 0xd7a3
const isSemitic = (code: number) => code >= 0x0590 && code <= 0x06ff

/** Thai, Kana and Han, which are written without blanks. */
export const isUnspaced = (code: number) => isThai(code) || isEastAsian(code)

/** Whether a listed word of this script stands for all words of its stem, because it nearly always has endings or neighbours. */
export const isAlwaysStemmed = (code: number) => isUnspaced(code) || isHangul(code) || isSemitic(code)

/** The letters of a whole stem in the script of a letter. */
export function stemLength(code: number): number {
  if (isThai(code)) return THAI_LENGTH
  if (isEastAsian(code)) return EAST_ASIAN_LENGTH
  if (isHangul(code)) return HANGUL_LENGTH
  return isSemitic(code) ? SEMITIC_LENGTH : LENGTH
}

/** The stem of the word from `at` up to `end`: its first letters, in Arabic those after the article. A word that is not longer is its own stem. */
export function stemOf(text: string, at: number, end: number): Range {
  const code = text.charCodeAt(at)
  const length = stemLength(code)
  if (isUnspaced(code)) {
    const to = endOfUnspaced(text, at, length)
    return { from: at, to, longest: to }
  }
  const from = isSemitic(code) ? at + articleLength(text, at, end) : at
  const to = Math.min(end, from + length)
  return { from, to, longest: length === LENGTH ? Math.min(end, from + LONGEST_LENGTH) : to }
}

function endOfUnspaced(text: string, at: number, length: number): number {
  let end = at + 1
  while (end < at + length && end < text.length && isUnspaced(text.charCodeAt(end))) end++
  return end
}

/** The letters of the Arabic article, and of a conjunction or preposition before it, if two letters or more follow. */
function articleLength(text: string, at: number, end: number): number {
  const prefix = text.startsWith('ال', at) ? 2 : /^[وبف]ال/.test(text.slice(at, at + 3)) ? 3 : 0
  return end - at - prefix >= 2 ? prefix : 0
}
