import { finish, type Steps } from '../cooperative.ts'
import { normalizeInSteps } from '../text/normalize.ts'
import { lowerInSteps, mapInSteps } from './pieces.ts'

const plain: Record<string, string> = {
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

/** Lower case, compatibility forms and accents taken away, so that text and lexicon meet in one spelling. Linear in the length. */
export function canonicalize(text: string): string {
  return isAscii(text) ? text.toLowerCase() : finish(canonicalizeInSteps(text))
}

/** `fold`, a piece at a time. */
export function* canonicalizeInSteps(text: string): Steps<string> {
  if (isAscii(text)) return text.toLowerCase()
  const lower = yield* lowerInSteps(yield* normalizeInSteps(text, 'NFKD'))
  const bare = yield* mapInSteps(lower, withoutAccents)
  return yield* normalizeInSteps(bare, 'NFC')
}

function withoutAccents(text: string): string {
  return text
    .replace(/[\u0300-\u036f]|[\u0483-\u0489]|[\u0591-\u05c7]|[\u064b-\u0652]|\u0670|\u0640|[\u20d0-\u20ff]/g, '')
    .replace(/[ıłđøßæœ’‘ʼ“”„]/g, (letter) => plain[letter] ?? letter)
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}
