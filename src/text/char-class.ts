/** How a character takes part in words. Consecutive characters of one class make a run, from which tokens are made. */
export const CHAR_CLASS = {
  /** Separates words: blanks, punctuation and everything that is not listed below. */
  BREAK: 0,
  /** A letter, digit or mark of a script that puts spaces between words. */
  WORD: 1,
  /** A sign that joins the parts of paths, e-mail addresses, identifiers and versions, or an apostrophe. */
  JOINT: 2,
  /** Han, Hiragana and Katakana: no spaces, words of about two characters. */
  HAN: 3,
  /** Thai, Lao, Khmer and Burmese: no spaces, longer words. */
  UNSPACED: 4,
  /** An emoji or another pictograph. */
  PICTOGRAPH: 5,
  /** Korean: spaces between words, but particles attached to them. */
  HANGUL: 6,
} as const

export type CharClass = (typeof CHAR_CLASS)[keyof typeof CHAR_CLASS]

const { BREAK, WORD, JOINT, HAN, UNSPACED, PICTOGRAPH, HANGUL } = CHAR_CLASS

/** The first pattern that matches a character decides its class. */
const PATTERNS: [RegExp, CharClass][] = [
  [/[/\\._@#:+\-&'’]/, JOINT],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]/u, HAN],
  [/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u, UNSPACED],
  [/\p{Script=Hangul}/u, HANGUL],
  // Variation selectors are marks by their category, but belong to no word.
  [/[\ufe00-\ufe0f]/, BREAK],
  [/[\p{L}\p{N}\p{M}]/u, WORD],
  [/[\p{Extended_Pictographic}\p{Regional_Indicator}]/u, PICTOGRAPH],
]

const UNKNOWN = 255
/**
 * Class by UTF-16 unit. The ranges of ideographs and syllables are given, and any other unit is classified when it is
 * met first: matching patterns for all 65 536 beforehand would take 50 ms of every start. A pure function's results, so
 * the table is never invalid.
 */
const CLASSES = new Uint8Array(0x10000)
  .fill(UNKNOWN)
  .fill(HAN, 0x3400, 0x4dc0)
  .fill(HAN, 0x4e00, 0xa000)
  .fill(HANGUL, 0xac00, 0xd7a4)

/** The class of a code point. */
export function charClassOf(codePoint: number): CharClass {
  const known = CLASSES[codePoint] ?? UNKNOWN
  if (known !== UNKNOWN) return known as CharClass
  const found = classify(codePoint)
  if (codePoint < CLASSES.length) CLASSES[codePoint] = found
  return found
}

function classify(codePoint: number): CharClass {
  const character = String.fromCodePoint(codePoint)
  return PATTERNS.find(([pattern]) => pattern.test(character))?.[1] ?? BREAK
}
