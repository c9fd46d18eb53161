import { stem } from './stem.ts'

/**
 * A token code is a number below 12 582 912 that stands for a token of a record in exact scoring: 21 bits of hash of
 * its term, times eight, plus 3 bits of hash of its surface form. Two different terms have the same bits once in 1 572
 * 864; with 40 words in a record, a term is taken for one of them once in 40 000 times. So a record that is found by
 * token codes alone must be confirmed by its text. Two forms of a term have the same bits once in 8.
 */
export type TokenCode = number

/** Three bytes hold a code, and leave 64 values of the first byte to common words. */
const CODES = 0xc0_0000
const FORMS = 8
const TERMS = CODES / FORMS

export function toTokenCode(term: string, surface: string): TokenCode {
  return termBits(term) * FORMS + formBits(surface)
}

/** The `termBits` of the token that a code was made of. */
export function termOf(code: TokenCode): number {
  return (code / FORMS) | 0
}

/** The `formBits` of the token that a code was made of. */
export function formOf(code: TokenCode): number {
  return code % FORMS
}

export function termBits(term: string): number {
  return fnv1a(term) % TERMS
}

export function formBits(surface: string): number {
  return formOf(fnv1a(surface) >>> 20)
}

/** FNV-1a with 32 bits over the UTF-16 units of a text (http://www.isthe.com/chongo/tech/comp/fnv/). */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Stands between the tokens of a text and those of each of its phrases. The code of no token. */
export const FIELD_BREAK: TokenCode = CODES

/**
 * The 63 most common words of English texts, a third of all their words, and `FIELD_BREAK`, which are stored in one
 * byte each.
 */
const COMMON_CODES =
  `the of and to in is that for it was on with as by at from this be not we has have will can which you he she they i my your
  his her their our its or but an a if so do did what when where who how there then than about out up all been would could some into more`
    .split(/\s+/)
    .map((word) => toTokenCode(stem(word, 'en'), word))
    .concat(FIELD_BREAK)
const POSITION_BY_COMMON_CODE = new Map(COMMON_CODES.map((code, position) => [code, position]))

/** A first byte below this is the position of a common word; any other is the first of the three bytes of a code. */
const FIRST_LONG = COMMON_CODES.length

/** Token codes in the bytes in which they are stored: one for a common word, three for any other. */
export function packTokenCodes(codes: ArrayLike<TokenCode>): Uint8Array {
  const bytes = new Uint8Array(codes.length * 3)
  let end = 0
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    const position = POSITION_BY_COMMON_CODE.get(code)
    if (position === undefined) {
      bytes[end++] = FIRST_LONG + (code >>> 16)
      bytes[end++] = code >>> 8
    }
    bytes[end++] = position ?? code
  }
  return bytes.slice(0, end)
}

/** The token codes that were packed. */
export function unpackTokenCodes(bytes: Uint8Array): Uint32Array {
  const codes = new Uint32Array(countCodes(bytes))
  for (let at = 0, position = 0; at < bytes.length; position++) {
    const first = bytes[at++] ?? 0
    if (first < FIRST_LONG) codes[position] = COMMON_CODES[first] ?? 0
    else codes[position] = ((first - FIRST_LONG) << 16) | ((bytes[at++] ?? 0) << 8) | (bytes[at++] ?? 0)
  }
  return codes
}

function countCodes(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; count++) at += (bytes[at] ?? 0) < FIRST_LONG ? 1 : 3
  return count
}
