import { finish, type Steps } from '../cooperative.ts'
import { isAscii } from '../text/ascii.ts'
import { normalizeInSteps } from '../text/normalize.ts'
import { lowerInSteps, mapInSteps } from './pieces.ts'

/** Letters that have no decomposition, and quotation marks. */
const REPLACEMENTS: Record<string, string> = {
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
}

const REPLACED = /[ıłđøßæœ’‘ʼ“”„]/g
/** Accents and points of Latin, Cyrillic, Hebrew and Arabic, the tatweel, and combining symbols. */
const ACCENTS = /[\u0300-\u036f]|[\u0483-\u0489]|[\u0591-\u05c7]|[\u064b-\u0652]|\u0670|\u0640|[\u20d0-\u20ff]/g

/** The canonical spelling, in which texts and lexicons are compared: compatibility forms replaced (NFKD), lower case, no accents. Time linear in the length. */
export function canonicalize(text: string): string {
  return finish(canonicalizeInSteps(text))
}

/** `canonicalize`, a piece at a time. */
export function* canonicalizeInSteps(text: string): Steps<string> {
  if (isAscii(text)) return text.toLowerCase()
  const lower = yield* lowerInSteps(yield* normalizeInSteps(text, 'NFKD'))
  const bare = yield* mapInSteps(lower, (piece) => piece.replace(ACCENTS, '').replace(REPLACED, (letter) => REPLACEMENTS[letter] ?? letter))
  return yield* normalizeInSteps(bare, 'NFC')
}
