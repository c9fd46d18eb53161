import type { Steps } from '../cooperative.ts'

/** A normalisation form of Unicode Standard Annex #15. */
export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/** Most non-starters in a row in stream-safe text (UAX #15, section 13). */
const MAX_NON_STARTERS = 30
/** U+034F, which the annex has put between non-starters: it is not seen, and nothing is ordered across it. */
const COMBINING_GRAPHEME_JOINER = '\u034f'
/** Non-starters, and the two letters that become one, in any normalisation form. */
const MARK = '\\p{M}\\uff9e\\uff9f'
/**
 * Whatever may be a run of more than 30 non-starters: a mark is normalised to at most three of them, and the character before ends with at
 * most three, so that fewer than nine marks are never too many.
 */
const LONG_RUN = new RegExp(`[^${MARK}]?[${MARK}]{9,}`, 'gu')
const IS_LONG = new RegExp(`[${MARK}]{9}`, 'u')

/**
 * Normalises a text in time linear in its length. Canonical ordering of one run of non-starters takes quadratic time, so the text is made
 * stream-safe first: after every 30 non-starters in a row stands U+034F. Text without such a run is normalised as by `String.prototype.normalize`,
 * which nothing else in the code may call.
 */
export function normalize(text: string, form: NormalForm): string {
  return toStreamSafe(text).normalize(form)
}

/** UTF-16 units that are normalised in one piece. Those that take longest take about 2 ms. */
const PIECE_LENGTH = 16_384

/** `normalize` in pieces, for texts of any length. */
export function* normalizeInSteps(text: string, form: NormalForm): Steps<string> {
  if (text.length <= PIECE_LENGTH) return normalize(text, form)
  const safe = toStreamSafe(text)
  let normalized = ''
  for (let start = 0; start < safe.length; ) {
    yield
    const end = findBoundary(safe, start + PIECE_LENGTH)
    normalized += safe.slice(start, end).normalize(form)
    start = end
  }
  return normalized
}

/** The first place from `from` on where the text can be cut, and both parts normalised by themselves; its end where there is none. */
function findBoundary(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (isBoundary(text, at)) return at
  return text.length
}

/** Marks, vowels and final consonants of Hangul and a vowel of Kirat Rai may become one character with what stands before them. */
const JOINS_BEFORE = /[\p{M}\u1160-\u11ff\ud7b0-\ud7ff\u{16d67}\udc00-\udfff]/u

/** Whether a text can be cut at a place, and both parts normalised by themselves. May say no where it can. */
export function isBoundary(text: string, at: number): boolean {
  const [first = ''] = String.fromCodePoint(text.codePointAt(at) ?? 0).normalize('NFKD')
  return first === COMBINING_GRAPHEME_JOINER || !JOINS_BEFORE.test(first)
}

/** The Stream-Safe Text Process of UAX #15, section 13.1. Time linear in the text. */
export function toStreamSafe(text: string): string {
  return IS_LONG.test(text) ? text.replace(LONG_RUN, breakRun) : text
}

function breakRun(run: string): string {
  const parts: string[] = []
  let start = 0
  let inRow = 0
  for (let at = 0; at < run.length; ) {
    const codePoint = run.codePointAt(at) ?? 0
    const counted = counts[codePoint] || count(codePoint)
    const leading = counted & LEADING
    if (inRow + leading > MAX_NON_STARTERS) {
      parts.push(run.slice(start, at))
      start = at
      inRow = 0
    }
    inRow = (counted & IS_ALL) === 0 ? (counted & TRAILING) >> TRAILING_SHIFT : inRow + leading
    at += codePoint > 0xffff ? 2 : 1
  }
  return [...parts, run.slice(start)].join(COMBINING_GRAPHEME_JOINER)
}

/**
 * What is counted of a character's compatibility decomposition, in one byte: non-starters in front, non-starters at the end, whether it has
 * nothing else, and a bit that tells a counted character from one not met yet.
 */
const LEADING = 0b0111
const TRAILING = 0b0111_000
const TRAILING_SHIFT = 3
const IS_ALL = 0b0100_0000
const IS_COUNTED = 0b1000_0000
const counts = new Uint8Array(0x110000)

function count(codePoint: number): number {
  const nonStarters = [...String.fromCodePoint(codePoint).normalize('NFKD')].map(isNonStarter)
  const first = nonStarters.indexOf(false)
  const leading = first < 0 ? nonStarters.length : first
  const trailing = nonStarters.length - 1 - nonStarters.lastIndexOf(false)
  const counted = leading | (trailing << TRAILING_SHIFT) | (first < 0 ? IS_ALL : 0) | IS_COUNTED
  counts[codePoint] = counted
  return counted
}

/** U+0345 has the highest combining class: every non-starter but itself is ordered before it. */
const LAST_IN_ORDER = '\u0345'

function isNonStarter(character: string): boolean {
  return character === LAST_IN_ORDER || !`${LAST_IN_ORDER}${character}`.normalize('NFD').startsWith(LAST_IN_ORDER)
}
