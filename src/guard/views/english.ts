import { readWordLists } from '../../text/word-lists.ts'
import englishLists from '../lists/english.txt' with { type: 'text' }
import { addLetter, FIRST_HASH } from '../scan/tokens.ts'

const COMMON_WORDS = new Set(readWordLists(englishLists).flatMap(([, words]) => words.split(' ')))

/** The length of the longest of these words. */
export const MAX_ENGLISH_LENGTH = Math.max(...[...COMMON_WORDS].map(({ length }) => length))

/** Whether the lower-case word is everyday English. */
export const isEnglish = (word: string) => COMMON_WORDS.has(word)

/** By the hash of letters whether an everyday word may begin with them, or be them. */
const beginnings = new Uint8Array(1 << 14)
const BEGINNING = 1
const WORD = 2
for (const word of COMMON_WORDS) {
  let hash = FIRST_HASH
  for (let at = 0; at < word.length; at++) {
    hash = addLetter(hash, word.charCodeAt(at))
    const known = beginnings[slotOf(hash)] ?? 0
    beginnings[slotOf(hash)] = known | (at + 1 < word.length ? BEGINNING : BEGINNING | WORD)
  }
}

function slotOf(hash: number): number {
  return hash & (beginnings.length - 1)
}

/** The ends, up to `last`, of everyday words of two letters or more that begin at a position of a lower-case text. */
export function endsOfEnglish(text: string, start: number, last: number): number[] {
  const ends: number[] = []
  let hash = FIRST_HASH
  for (let end = start + 1; end <= last && end <= text.length; end++) {
    hash = addLetter(hash, text.charCodeAt(end - 1))
    const known = beginnings[slotOf(hash)] ?? 0
    if (known === 0) break
    if ((known & WORD) !== 0 && end > start + 1 && isEnglish(text.slice(start, end))) ends.push(end)
  }
  return ends
}

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
