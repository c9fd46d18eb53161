import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { fold, foldIn } from './fold.ts'
import { baseOf } from './irregular-english.ts'
import type { Language } from './language.ts'
import { stemEnglish } from './porter2.ts'

type Stemmer = (word: string) => string

/** Stemmers of words in Latin script, which is read in the language of the text. */
const LATIN_STEMMERS: Partial<Record<Language, Stemmer>> = {
  da: danish,
  de: german,
  en: (word) => stemBase(fold(word)),
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  id: indonesian,
  it: italian,
  nl: dutch,
  pt: portuguese,
  ro: romanian,
  sv: swedish,
  tr: turkish,
}
/**
 * Stemmers of words in other scripts, which tell the language by themselves, except for Persian in Arabic script. The
 * first that matches is used.
 */
const SCRIPT_STEMMERS: [RegExp, (word: string, language: Language) => string][] = [
  [/[іїєґ]/, ukrainian],
  [/\p{Script=Cyrillic}/u, (word) => russian(word.replaceAll('ё', 'е'))],
  [/\p{Script=Greek}/u, (word) => greek(fold(word))],
  [/\p{Script=Arabic}/u, (word, language) => (language === 'fa' ? stemPersian : stemArabic)(fold(word))],
  [/\p{Script=Devanagari}/u, (word) => hindi(fold(word))],
]

const MIN_STEMMED_LENGTH = 3
/** Longer words are made-up names, which have no endings to remove. */
const MAX_STEMMED_LENGTH = 20
const PLAIN_WORD = /^[a-z]+$/
const NUMBER = /\p{N}/u
const LATIN_WORD = /^\p{Script=Latin}+$/u
const LATIN_LETTER = /[a-z]|\p{Script=Latin}/u
/** Nearly all words in Latin script begin with a character before U+0370, the first of Greek. */
const FIRST_GREEK = 0x370
const CYRILLIC_OR_GREEK = /[\p{Script=Cyrillic}\p{Script=Greek}]/u
/** Scripts whose words are short, and whose prefixes and endings a stemmer or the fold removes. */
const ARABIC_OR_HEBREW = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** Languages in Latin script whose endings and compounds a stemmer does not remove far enough. */
const TRUNCATED_LANGUAGES = new Set<Language>(['cs', 'da', 'de', 'fi', 'hu', 'nl', 'pl', 'sv', 'tr'])
/**
 * Letters kept of a stem in those languages, in Cyrillic and in Greek. Worth .03 to .1 of nDCG@10 on sets of those
 * languages; 5 is as good for short texts and gives the same term to more unrelated words.
 */
const TRUNCATED_LENGTH = 6
/**
 * Letters and signs kept of a word in a script that has no stemmer here, such as those of India: worth .1 on the same
 * measure; 4 and 6 are worse.
 */
const TRUNCATED_LENGTH_UNSTEMMED = 5

/**
 * The term of a lower-case word: its stem in `language`, or in the language of its script, folded, and truncated where
 * words grow long. Never empty.
 */
export function stem(word: string, language: Language): string {
  if (language === 'en' && word.length <= MAX_STEMMED_LENGTH && PLAIN_WORD.test(word)) return stemBase(word)
  if (NUMBER.test(word)) return foldIn(word, language) || word
  const stemmed =
    word.length > MAX_STEMMED_LENGTH || word.length < MIN_STEMMED_LENGTH ? word : stemByScript(word, language)
  return truncate(foldIn(stemmed, language) || foldIn(word, language) || word, language)
}

function stemByScript(word: string, language: Language): string {
  const stemmer = LATIN_LETTER.test(word)
    ? LATIN_STEMMERS[language]
    : SCRIPT_STEMMERS.find(([script]) => script.test(word))?.[1]
  return stemmer?.(word, language) ?? word
}

function stemBase(word: string): string {
  return word.length < MIN_STEMMED_LENGTH ? word : stemEnglish(baseOf(word) ?? word)
}

/** Languages that write compounds as one word, which a shorter word of a question is often the last part of. */
const COMPOUNDING_LANGUAGES = new Set<Language>(['da', 'de', 'fi', 'nl', 'sv'])
/**
 * Letters of an ending, and of the part before it. Of 100 pairs among 1 000 other texts in their language, an ending of
 * three letters finds 4 more (Tür, rum).
 */
const MIN_ENDING_LENGTH = 3
const MAX_ENDING_LENGTH = 6
const MIN_BEFORE_ENDING = 3
/** Before an ending, so that it is no word. A letter for the tokenizer of the full-text index. */
const ENDING_SIGN = 'ː'
/**
 * In front of a word, so that it gets the stem that it has behind the first part of a compound: a stemmer removes more
 * of a longer word.
 */
const FIRST_PART = 'kantokanto'

/** Whether a term of the index is an ending. */
export const isEnding = (term: string): boolean => term.startsWith(ENDING_SIGN)

/**
 * The endings that a lower-case word has as the last part of a compound, as terms: the last letters of each of its
 * forms; none of a short one.
 */
export function endingsOf(word: string, language: Language): string[] {
  const long = lastFormsOf(word, language).filter((form) => form.length >= MIN_ENDING_LENGTH)
  return long.map((form) => ENDING_SIGN + form.slice(-MAX_ENDING_LENGTH))
}

/** The endings by which a lower-case word is found if it is a compound: those of all last parts that it may have. */
export function endingsIn(word: string, language: Language): string[] {
  if (word.length < MIN_BEFORE_ENDING + MIN_ENDING_LENGTH || !COMPOUNDING_LANGUAGES.has(language)) return []
  const endings = new Set<string>()
  for (const form of lastFormsOf(word, language)) {
    const longest = Math.min(MAX_ENDING_LENGTH, form.length - MIN_BEFORE_ENDING)
    for (let length = MIN_ENDING_LENGTH; length <= longest; length++) endings.add(ENDING_SIGN + form.slice(-length))
  }
  return [...endings]
}

/**
 * The folded stem that a word has as the last part of a compound, however long; for Finnish the word as well, since the
 * stemmer takes the end of many a short word for an ending of case (hinta, lista). None in any other language, and for
 * a word of another script.
 */
function lastFormsOf(word: string, language: Language): string[] {
  if (!COMPOUNDING_LANGUAGES.has(language) || !LATIN_WORD.test(word)) return []
  const stemmed = stemByScript(FIRST_PART + word, language).slice(FIRST_PART.length)
  const forms = language === 'fi' ? [word, stemmed] : [language === 'sv' ? withoutArticle(stemmed) : stemmed]
  return forms.map((form) => foldIn(form, language))
}

/**
 * A stem without the article at its end that the stemmer of Swedish leaves, and without the consonant that is doubled
 * before it: listan, avtalet, rummet.
 */
function withoutArticle(stemmed: string): string {
  return stemmed
    .replace(/(?<=..[^aeiouyåäö])(?:et|an|a|e)$|(?<=[ei])t$|(?<=..e[lr])n$/, '')
    .replace(/(?<=[mn])[mn]$/, '')
}

/** The beginning of a stem that derived words and compounds share. */
function truncate(stemmed: string, language: Language): string {
  if (stemmed.length <= TRUNCATED_LENGTH_UNSTEMMED) return stemmed
  if (stemmed.charCodeAt(0) < FIRST_GREEK || LATIN_LETTER.test(stemmed))
    return TRUNCATED_LANGUAGES.has(language) ? stemmed.slice(0, TRUNCATED_LENGTH) : stemmed
  if (CYRILLIC_OR_GREEK.test(stemmed)) return stemmed.slice(0, TRUNCATED_LENGTH)
  return ARABIC_OR_HEBREW.test(stemmed) ? stemmed : stemmed.slice(0, TRUNCATED_LENGTH_UNSTEMMED).toWellFormed()
}

/** The article, with or without a conjunction or preposition. */
const ARABIC_PREFIX = /^(?:[وفبك]?ال|لل|و(?=.{4}))(?=.{2})/
const ARABIC_SUFFIX = /(?:ها|ان|ات|ون|ين|يه|[هي])$/
const MIN_ARABIC_STEM_LENGTH = 2
const MAX_ARABIC_SUFFIXES = 2

/**
 * A light stem of a folded Arabic word after light10 (Larkey, Ballesteros and Connell, 2007): without article and
 * common endings.
 */
function stemArabic(word: string): string {
  let stemmed = word.replace(ARABIC_PREFIX, '')
  for (let removed = 0; removed < MAX_ARABIC_SUFFIXES; removed++) {
    const shorter = stemmed.replace(ARABIC_SUFFIX, '')
    if (shorter.length < MIN_ARABIC_STEM_LENGTH) break
    stemmed = shorter
  }
  return stemmed
}

const PERSIAN_SUFFIX = /(?<=.{3})(?:هايي|هاي|ها|ترين|تر|يي|ي|ان|ات)$/

/** A light stem of a folded Persian word: without the endings of plural, comparison and genitive. */
function stemPersian(word: string): string {
  return word.replace(PERSIAN_SUFFIX, '')
}
