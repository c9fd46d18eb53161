import { readWordLists } from '../../text/word-lists.ts'
import englishLists from '../lists/english.txt' with { type: 'text' }

const COMMON_WORDS = new Set(readWordLists(englishLists).flatMap(([, words]) => words.split(' ')))

/** The length of the longest of these words. */
export const MAX_ENGLISH_LENGTH = Math.max(...[...COMMON_WORDS].map(({ length }) => length))

/** Whether the lower-case word is everyday English. */
export const isEnglish = (word: string) => COMMON_WORDS.has(word)

const MAX_COUNTED_LENGTH = 2_000

/** The words among the first 2 000 characters of a lower-case text, and how many of them are everyday English. */
export function countEnglish(text: string): { known: number; all: number } {
  const all = text.slice(0, MAX_COUNTED_LENGTH).match(/[a-z']+/g) ?? []
  return { known: all.filter((word) => COMMON_WORDS.has(word)).length, all: all.length }
}

const MIN_PROSE_WORDS = 4
const MIN_KNOWN_WORDS = 2
const MIN_KNOWN_SHARE = 0.3

/** Whether a lower-case text has four words or more, and two of them and three in ten are everyday English. */
export function looksLikeEnglish(text: string): boolean {
  const { known, all } = countEnglish(text)
  return all >= MIN_PROSE_WORDS && known >= MIN_KNOWN_WORDS && known >= all * MIN_KNOWN_SHARE
}
