import type { Language } from './language.ts'

/**
 * Endings that words change for each other, where a stemmer leaves forms of a word with different stems: `día` and
 * `días`, `chiave` and `chiavi`, `huis` and `huizen`. Those with accents are for words typed without them.
 */
const ENDINGS: Partial<Record<Language, string[]>> = {
  en: ['', 's', 'es'],
  es: ['', 's', 'es'],
  pt: ['', 's', 'es', 'ao', 'oes'],
  fr: ['', 's', 'x', 'ee', 'ees', 'e', 'és', 'ée', 'ées'],
  it: ['o', 'a', 'i', 'e', 'io'],
  de: ['', 'e', 'en', 'n', 'er', 'ern', 's'],
  nl: ['', 'en', 'e', 's', 'zen', 'f', 'ven'],
  sv: ['', 'n', 'en', 'r', 'er', 'ar', 'or', 'na', 'erna', 'el', 'lar', 'larna'],
  da: ['', 'n', 'en', 'et', 'r', 'er', 'ne', 'erne'],
  ru: ['', 'а', 'я', 'о', 'е', 'ь', 'и', 'ы', 'ей', 'ов', 'у', 'ом'],
}

/** Letters of a word that stay when its ending is changed. */
const MIN_KEPT_LETTERS = 3
/** Letters of a word in which two may be swapped: many shorter ones are two words, and longer ones are made-up names. */
const [MIN_SWAPPED_LETTERS, MAX_SWAPPED_LETTERS] = [5, 20]

/** Other forms of a word in a language, by its endings; possibly some that nobody uses. */
export function inflect(word: string, language: Language): string[] {
  const endings = ENDINGS[language] ?? []
  return endings
    .filter((ending) => word.endsWith(ending) && word.length - ending.length >= MIN_KEPT_LETTERS)
    .flatMap((ending) => endings.map((other) => word.slice(0, word.length - ending.length) + other))
}

/** A word with each two of its neighbouring letters after the first in the other order. */
export function swapNeighbours(word: string): string[] {
  const letters = [...word]
  if (letters.length < MIN_SWAPPED_LETTERS || letters.length > MAX_SWAPPED_LETTERS) return []
  return letters
    .slice(1, -1)
    .map((_, at) => [...letters.slice(0, at + 1), letters[at + 2], letters[at + 1], ...letters.slice(at + 3)].join(''))
}
