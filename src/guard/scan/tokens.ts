import {
  BLANK,
  characterTables,
  DIGIT,
  isEastAsian,
  isSemitic,
  isThai,
  keyLengthOf,
  LETTER,
  SKIPPED,
  stemLengthOf,
  UNSPACED,
} from './characters.ts'

/**
 * The tokens of a lower-case text, in flat arrays for speed: words, numbers, signs, addresses, and single characters of
 * scripts without blanks. Letters are compared without accents.
 */
export type Tokens = {
  text: string
  count: number
  /**
   * Of each token its hash, the hash of its stem, where it starts, where it ends, and the hash of its first letters, by
   * which beginnings of words are looked up.
   */
  values: Int32Array
  /** Whether each token is a word or a character of one. */
  kinds: Uint8Array
}
export const VALUES_PER_TOKEN = 5
export const STEM = 1
export const START = 2
export const END = 3
export const KEY = 4

/** Kinds of tokens. */
export const WORD = 1
export const CHARACTER = 2
export const NUMBER = 3
export const OTHER = 4
export const ADDRESS = 5

/** Hashes of tokens that are not words. */
const DIGITS_HASH = 2
const URL_HASH = 3
const MAIL_HASH = 5
const SYMBOL_HASH = 1

export const FIRST_HASH = 7
/** Adds a letter to the hash of a word (FNV-1a). */
export const addLetter = (hash: number, letter: number) => Math.imul(hash ^ letter, 0x01000193)

/**
 * Room for the UTF-16 units of the longest text so far, which is a piece of one, with a zero after them, and for a token
 * at each; units of an array are read faster than those of a string. The tokens are copied: most texts have a fifth as
 * many.
 */
let room = createRoom(0)

function createRoom(length: number) {
  const units = new Uint16Array(length + 1)
  return {
    units,
    bytes: Buffer.from(units.buffer),
    values: new Int32Array(length * VALUES_PER_TOKEN),
    kinds: new Uint8Array(length),
  }
}

/** Splits a lower-case text into tokens. */
export function tokenize(text: string): Tokens {
  if (room.kinds.length < text.length) room = createRoom(text.length)
  const { units, bytes, values, kinds } = room
  bytes.write(text, 'utf16le')
  units[text.length] = 0
  const { kinds: kindOf, letters } = characterTables()
  let count = 0
  let at = 0
  while (at < text.length) {
    const start = at
    const code = units[at] ?? 0
    const kind = kindOf[code]
    at++
    if (kind === BLANK || kind === SKIPPED) continue
    const value = count * VALUES_PER_TOKEN
    let hash = FIRST_HASH
    let stem = 0
    let key = 0
    if (kind === LETTER) {
      const stemLength = stemLengthOf(code)
      const keyLength = keyLengthOf(code)
      let length = 0
      for (at = isSemitic(code) ? skipArticle(text, start) : start; ; at++) {
        const letter = letters[units[at] ?? 0] ?? 0
        if (letter === 0) {
          if (kindOf[units[at] ?? 0] === SKIPPED) continue
          break
        }
        hash = addLetter(hash, letter)
        if (++length === stemLength) stem = hash
        if (length === keyLength) key = hash
      }
      if (stem === 0) stem = hash
      const after = units[at]
      if (after === COLON && text.startsWith('://', at)) {
        at = endOfAddress(text, at)
        hash = stem = URL_HASH
        kinds[count] = ADDRESS
      } else if (after === AT && kindOf[units[at + 1] ?? 0] === LETTER) {
        at = endOfAddress(text, at)
        hash = stem = MAIL_HASH
        kinds[count] = ADDRESS
      } else kinds[count] = WORD
    } else if (kind === UNSPACED) {
      hash = addLetter(hash, code)
      stem = stemOfUnspaced(units, start, code)
      kinds[count] = CHARACTER
    } else if (kind === DIGIT) {
      while (kindOf[units[at] ?? 0] === DIGIT) at++
      hash = stem = DIGITS_HASH
      kinds[count] = NUMBER
    } else if (code === APOSTROPHE || code === CURLY_APOSTROPHE) {
      if (kindOf[units[start - 1] ?? 0] === LETTER && kindOf[units[at] ?? 0] === LETTER) continue
      hash = stem = addLetter(FIRST_HASH, APOSTROPHE)
      kinds[count] = OTHER
    } else {
      const isSymbol = (code > 0x2000 && code < 0x3000) || (code >= 0xd800 && code < 0xe000)
      hash = stem = isSymbol ? SYMBOL_HASH : addLetter(FIRST_HASH, code)
      kinds[count] = OTHER
    }
    values[value] = hash
    values[value + STEM] = stem
    values[value + START] = start
    values[value + END] = at
    values[value + KEY] = key
    count++
  }
  return { text, count, values: values.slice(0, count * VALUES_PER_TOKEN), kinds: kinds.slice(0, count) }
}

const COLON = 58
const AT = 64
const APOSTROPHE = 39
const CURLY_APOSTROPHE = 0x2019

/** The first characters of an unspaced script from a position. */
function stemOfUnspaced(units: Uint16Array, from: number, code: number): number {
  const length = stemLengthOf(code)
  const belongs = isEastAsian(code) ? isEastAsian : isThai
  let hash = FIRST_HASH
  for (let at = from; at < from + length; at++) {
    const next = units[at] ?? 0
    if (at > from && !belongs(next)) break
    hash = addLetter(hash, next)
  }
  return hash
}

/**
 * Where a word begins without the Arabic article and a conjunction or preposition before it, if three letters or more
 * follow.
 */
function skipArticle(text: string, at: number): number {
  const length = text.startsWith('ال', at)
    ? 2
    : text.startsWith('ال', at + 1) && 'وبفلك'.includes(text[at] ?? '')
      ? 3
      : 0
  if (length === 0) return at
  for (let next = at + length; next < at + length + 3; next++) if (!isSemitic(text.charCodeAt(next))) return at
  return at + length
}

/** Ends at a blank or one of `)`, `]`, `"`, `<` and `>`. */
function endOfAddress(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code === 41 || code === 93 || code === 34 || code === 60 || code === 62 || code > 0x2fff) break
    at++
  }
  return at
}

/** The hash of the first `length` letters of a token; 0 if it has fewer. */
export function hashBeginning({ text, values }: Tokens, token: number, length: number): number {
  const { kinds, letters } = characterTables()
  const end = values[token * VALUES_PER_TOKEN + END] ?? 0
  let at = values[token * VALUES_PER_TOKEN + START] ?? 0
  if (isSemitic(text.charCodeAt(at))) at = skipArticle(text, at)
  let hash = FIRST_HASH
  let left = length
  for (; at < end && left > 0; at++) {
    const code = text.charCodeAt(at)
    if (kinds[code] === SKIPPED) continue
    hash = addLetter(hash, letters[code] ?? code)
    left--
  }
  return left === 0 ? hash : 0
}
