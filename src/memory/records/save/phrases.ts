import { Type } from 'typebox'
import { Refusal } from '../../../errors.ts'
import { normalize } from '../../../text/normalize.ts'
import { requireText } from '../text-argument.ts'

/** Phrases that one save gives, and that a record keeps. */
const MAX_GIVEN_PHRASES = 6
const MAX_PHRASES = 12
/** In Unicode code points. */
export const MAX_PHRASE_LENGTH = 120

export const AskedAs = Type.Array(Type.String({ minLength: 1, maxLength: MAX_PHRASE_LENGTH }), {
  maxItems: MAX_GIVEN_PHRASES,
  description: `2 to ${MAX_GIVEN_PHRASES} phrases in other words somebody may ask with: synonyms, everyday terms, other languages; up to ${MAX_PHRASE_LENGTH} characters each`,
})

/**
 * Phrases as they are stored: each in one line, no two alike, at most `max`.
 *
 * @throws Refusal for more phrases, and for one that is empty or too long, before or after normalization.
 */
export function readPhrases(phrases: string[], max = MAX_PHRASES): string[] {
  if (phrases.length > max) throw new Refusal(`asked_as must have at most ${max} phrases`, 'asked_as')
  const isTooLong = (phrase: string) =>
    [phrase, normalize(phrase, 'NFKC')].some((text) => [...text].length > MAX_PHRASE_LENGTH)
  if (phrases.some(isTooLong))
    throw new Refusal(
      `asked_as must have phrases of at most ${MAX_PHRASE_LENGTH} characters, also after Unicode normalization (NFKC)`,
      'asked_as',
    )
  return mergePhrases(
    phrases.map((phrase) => requireText('a phrase of asked_as', phrase, 'asked_as').replace(/\s+/g, ' ').trim()),
    [],
  )
}

/**
 * The phrases given last before those that a record has, without repetitions; the oldest give way to more than it
 * keeps.
 */
export function mergePhrases(given: string[], present: string[]): string[] {
  const byComparable = new Map<string, string>()
  for (const phrase of [...given, ...present]) {
    const key = normalize(phrase, 'NFKC').toLowerCase()
    if (!byComparable.has(key)) byComparable.set(key, phrase)
  }
  return [...byComparable.values()].slice(0, MAX_PHRASES)
}
