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
import { stemArabic } from './arabic.ts'
import { cut } from './cut.ts'
import { fold, foldIn } from './fold.ts'
import { baseOf } from './irregular.ts'
import { createMemo } from './memo.ts'
import { stemPersian } from './persian.ts'
import { stemEnglish } from './porter2.ts'
import { LANGUAGES, type Language } from './stop.ts'

type Stemmer = (word: string) => string

const LATIN: Partial<Record<Language, Stemmer>> = {
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
const SCRIPTS: [RegExp, (word: string, language: Language) => string][] = [
  [/[іїєґ]/, ukrainian],
  [/\p{Script=Cyrillic}/u, (word) => russian(word.replaceAll('ё', 'е'))],
  [/\p{Script=Greek}/u, (word) => greek(fold(word))],
  [/\p{Script=Arabic}/u, (word, language) => (language === 'fa' ? stemPersian : stemArabic)(fold(word))],
  [/\p{Script=Devanagari}/u, (word) => hindi(fold(word))],
]
const LATIN_LETTER = /[a-z]|\p{Script=Latin}/u

/** Stems remembered in each language, but for English: to look one up takes as long as to find it. */
const MAX_CACHED_STEMS = 8_000
const PLAIN = /^[a-z]+$/
/** Longer words are names that somebody made up; they have no endings to take off. */
const MAX_INFLECTED_CHARACTERS = 20
const NUMBERED = /\p{N}/u
const memos = Object.fromEntries(LANGUAGES.map((language) => [language, createMemo(MAX_CACHED_STEMS, (word) => findStem(word, language))]))

/** The folded stem, or its beginning, of a lower-case word; Latin script is read in `language`, other scripts speak for themselves. Never empty. */
export function stem(word: string, language: Language): string {
  if (language === 'en' && word.length <= MAX_INFLECTED_CHARACTERS && PLAIN.test(word)) return stemBase(word)
  if (NUMBERED.test(word)) return foldIn(word, language) || word
  if (word.length > MAX_INFLECTED_CHARACTERS) return cut(foldIn(word, language) || word, language)
  return memos[language]?.(word) ?? word
}

function stemBase(word: string): string {
  return word.length < 3 ? word : stemEnglish(baseOf(word) ?? word)
}

function findStem(word: string, language: Language): string {
  const stemmer = LATIN_LETTER.test(word) ? LATIN[language] : SCRIPTS.find(([script]) => script.test(word))?.[1]
  const found = stemmer === undefined || word.length < 3 ? word : stemmer(word, language)
  return cut(foldIn(found, language) || foldIn(word, language) || word, language)
}
