import type { Steps } from '../cooperative.ts'
import { isAscii } from './ascii.ts'
import { normalizeInSteps } from './normalize.ts'

/** Joiners, direction marks and soft hyphens: a reader does not see them, so they must not separate words. */
const INVISIBLE = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
/** Persian separates some endings by a zero-width non-joiner, which other writers replace by a space. */
const HALF_SPACE = /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu
/** The comma in `1,000`, which is the number 1000. */
const THOUSANDS_SEPARATOR = /(?<=\d),(?=\d{3}(?!\d))/g

/** The digit zero of each script that has digits of its own, Arabic to Khmer. The digits 1 to 9 follow it in Unicode. */
const ZEROS = [...'٠۰०০੦૦୦௦౦೦൦๐໐༠၀០']
const DIGITS = new RegExp(`[${ZEROS.map((zero) => `${zero}-${String.fromCharCode(zero.charCodeAt(0) + 9)}`).join('')}]`, 'g')
const ASCII_DIGITS = new Map(
  ZEROS.flatMap((zero) => Array.from({ length: 10 }, (_, value) => [String.fromCharCode(zero.charCodeAt(0) + value), `${value}`])),
)

/** The first step of analysis, a piece at a time: NFKC, invisible characters removed, digits of every script as 0 to 9, no thousands separators. */
export function* filterCharactersInSteps(text: string): Steps<string> {
  const filtered = isAscii(text) ? text : yield* filterUnicode(text)
  return filtered.includes(',') ? filtered.replace(THOUSANDS_SEPARATOR, '') : filtered
}

function* filterUnicode(text: string): Steps<string> {
  const normalized = yield* normalizeInSteps(text.toWellFormed(), 'NFKC')
  yield
  const visible = normalized.replace(HALF_SPACE, ' ').replace(INVISIBLE, '')
  yield
  return visible.replace(DIGITS, (digit) => ASCII_DIGITS.get(digit) ?? digit)
}
