import type { Language } from './stop.ts'

/** Languages in Latin script that grow words by adding endings and words. A stemmer takes off too little of them; of the others here enough. */
const GROWING = new Set<Language>(['cs', 'da', 'de', 'fi', 'hu', 'nl', 'pl', 'sv', 'tr'])
/** Letters kept of a stem in those, in Cyrillic and in Greek: worth .03 to .1; 5 is as good for short texts, and takes more words for the same. */
const KEPT_LETTERS = 6
/** Letters and signs kept of a word in a script of India or another that no stemmer reads well: worth .1; 4 and 6 are worse or coarser. */
const KEPT_LETTERS_UNSTEMMED = 5

const LATIN = /\p{Script=Latin}/u
/** Nearly all words in Latin script begin before it. */
const FIRST_GREEK = 0x370
const GROWING_SCRIPT = /[\p{Script=Cyrillic}\p{Script=Greek}]/u
/** Short words whose prefixes and endings another rule takes off. */
const SHORT_SCRIPT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** What is kept of a folded stem, so that words derived from one another and the compounds of a word come together. */
export function cut(stem: string, language: Language): string {
  if (stem.length <= KEPT_LETTERS_UNSTEMMED) return stem
  if (stem.charCodeAt(0) < FIRST_GREEK || LATIN.test(stem)) return GROWING.has(language) ? stem.slice(0, KEPT_LETTERS) : stem
  if (GROWING_SCRIPT.test(stem)) return stem.slice(0, KEPT_LETTERS)
  return SHORT_SCRIPT.test(stem) ? stem : stem.slice(0, KEPT_LETTERS_UNSTEMMED).toWellFormed()
}
