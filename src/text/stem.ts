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
/** Stemmers of words in other scripts, which tell the language by themselves, except for Persian in Arabic script. The first that matches is used. */
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

/** Languages in Latin script that derive words by endings and compounds of which a stemmer removes too little. */
const TRUNCATED_LANGUAGES = new Set<Language>(['cs', 'da', 'de', 'fi', 'hu', 'nl', 'pl', 'sv', 'tr'])
/**
 * Letters kept of a stem in those languages, in Cyrillic and in Greek. Worth .03 to .1 of nDCG@10 on the sets of those languages in docs/search.md;
 * 5 is as good for short texts and gives the same term to more unrelated words.
 */
const TRUNCATED_LENGTH = 6
/** Letters and signs kept of a word in a script that has no stemmer here, such as those of India: worth .1 on the same measure; 4 and 6 are worse. */
const TRUNCATED_LENGTH_UNSTEMMED = 5

/** The term of a lower-case word: its stem in `language` or in that of its script, folded, and truncated where words grow long. Never empty. */
export function stem(word: string, language: Language): string {
  if (language === 'en' && word.length <= MAX_STEMMED_LENGTH && PLAIN_WORD.test(word)) return stemBase(word)
  if (NUMBER.test(word)) return foldIn(word, language) || word
  const stemmed = word.length > MAX_STEMMED_LENGTH || word.length < MIN_STEMMED_LENGTH ? word : stemByScript(word, language)
  return truncate(foldIn(stemmed, language) || foldIn(word, language) || word, language)
}

function stemByScript(word: string, language: Language): string {
  const stemmer = LATIN_LETTER.test(word) ? LATIN_STEMMERS[language] : SCRIPT_STEMMERS.find(([script]) => script.test(word))?.[1]
  return stemmer?.(word, language) ?? word
}

function stemBase(word: string): string {
  return word.length < MIN_STEMMED_LENGTH ? word : stemEnglish(baseOf(word) ?? word)
}

/** Languages that write compounds as one word, which a shorter word of a question is often the last part of. */
const COMPOUNDING_LANGUAGES = new Set<Language>(['da', 'de', 'fi', 'nl', 'sv'])
/** Letters of an ending, and of the part before it: the first values tried, counted by bench/compounds.ts. */
const MIN_ENDING_LENGTH = 4
const MAX_ENDING_LENGTH = 6
const MIN_BEFORE_ENDING = 3
/** Before an ending, so that it is no word. A letter for the tokenizer of the full-text index. */
const ENDING_SIGN = 'ː'

/** The ending that a lower-case word has as the last part of a compound, as a term: the last letters of its whole stem; undefined for a short one. */
export function endingOf(word: string, language: Language): string | undefined {
  const whole = wholeStem(word, language)
  return whole.length < MIN_ENDING_LENGTH ? undefined : ENDING_SIGN + whole.slice(-MAX_ENDING_LENGTH)
}

/** The endings by which a lower-case word is found if it is a compound: those of all last parts that it may have. */
export function endingsIn(word: string, language: Language): string[] {
  const whole = wholeStem(word, language)
  const lengths = [MIN_ENDING_LENGTH, MIN_ENDING_LENGTH + 1, MAX_ENDING_LENGTH].filter(
    (length) => whole.length - length >= MIN_BEFORE_ENDING,
  )
  return lengths.map((length) => ENDING_SIGN + whole.slice(-length))
}

/** The folded stem of a word of a language with compounds, however long; empty in any other language, and for a word of another script. */
function wholeStem(word: string, language: Language): string {
  if (!COMPOUNDING_LANGUAGES.has(language) || !LATIN_WORD.test(word)) return ''
  return foldIn(stemByScript(word, language), language)
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

/** A light stem of a folded Arabic word after light10 (Larkey, Ballesteros and Connell, 2007): without article and common endings. */
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
