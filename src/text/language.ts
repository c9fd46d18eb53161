/**
 * Languages that the analyzer knows by their function words, by ISO 639-1 code. The position of a language is its bit
 * in a set of languages and part of how ties between languages are resolved: a new language is added at the end.
 */
export const LANGUAGES = [
  'en',
  'es',
  'fr',
  'de',
  'it',
  'pt',
  'nl',
  'sv',
  'da',
  'fi',
  'ro',
  'hu',
  'tr',
  'ru',
  'uk',
  'el',
  'ar',
  'hi',
  'id',
  'pl',
  'cs',
  'vi',
  'fa',
  'he',
] as const

export type Language = (typeof LANGUAGES)[number]

/** A set of languages as a bit mask: bit `n` stands for `LANGUAGES[n]`. */
export type LanguageSet = number

/** The set that holds the one language. */
export function toLanguageSet(language: Language): LanguageSet {
  return 1 << LANGUAGES.indexOf(language)
}
