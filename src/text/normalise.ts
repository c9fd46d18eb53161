import { finish, type Steps } from '../cooperative.ts'
import { withAsciiDigits } from './digits.ts'
import { normalizeInSteps } from './normalize.ts'

/** Joiners, direction marks and soft hyphens are not seen by a reader, and must not cut a word. */
const INVISIBLE = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
/** Writers of Persian set endings off by a joiner that is no space, or leave it out. */
const HALF_SPACE = /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu
/** `1,000` is the number 1000. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g

/** The same text as every writer of it would be taken to mean: one spelling of each character, nothing that is not seen. */
export function normalise(text: string): string {
  return finish(normaliseInSteps(text))
}

/** `normalise`, a piece at a time. */
export function* normaliseInSteps(text: string): Steps<string> {
  const plain = isAscii(text) ? text : yield* toPlain(text)
  return plain.includes(',') ? plain.replace(THOUSANDS, '') : plain
}

function* toPlain(text: string): Steps<string> {
  const normalized = yield* normalizeInSteps(text.toWellFormed(), 'NFKC')
  yield
  const seen = normalized.replace(HALF_SPACE, ' ').replace(INVISIBLE, '')
  yield
  return withAsciiDigits(seen)
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}
