import { normalize } from './normalize.ts'

/*
 * Forms in which texts are compared: two texts count as the same where their forms are equal. Texts are stored and shown as they were given.
 */

/** Lower case letters that Unicode's full case folding writes in another way. */
const FOLDED: Record<string, string> = { ß: 'ss', ς: 'σ' }

/** A fact key after NFKC, trimming and case folding. Idempotent; takes time linear in the length of the key. */
export function toComparableKey(key: string): string {
  const lowerCase = normalize(normalize(key, 'NFKC').trim().toLowerCase(), 'NFKC')
  return lowerCase.replace(/[ßς]/g, (letter) => FOLDED[letter] ?? letter)
}

/**
 * Blanks that are not one space. A pattern of all blanks would replace each space of a text by itself, which takes
 * longer than the rest of a save.
 */
const UNEVEN_BLANKS = /[^\S ]\s*| \s+/g

/**
 * A content without outer blanks and one final full stop, each run of blanks as one space. Line ends and tabs are
 * blanks.
 */
export function toComparableContent(content: string): string {
  return content
    .replace(UNEVEN_BLANKS, ' ')
    .trim()
    .replace(/[.。]$/, '')
    .trimEnd()
}
