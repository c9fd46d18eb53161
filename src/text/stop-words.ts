import { foldIn } from './fold.ts'
import { LANGUAGES, type LanguageSet, toLanguageSet } from './language.ts'
import stopWordLists from './lists/stop-words.txt' with { type: 'text' }
import { readWordLists } from './word-lists.ts'

const STOP_WORDS = new Map(readWordLists(stopWordLists).map(([name, words]) => [name, words.split(' ')]))

const LANGUAGES_BY_STOP_WORD = new Map<string, LanguageSet>()
for (const language of LANGUAGES)
  for (const stopWord of STOP_WORDS.get(language) ?? []) {
    const word = foldIn(stopWord, language)
    LANGUAGES_BY_STOP_WORD.set(word, (LANGUAGES_BY_STOP_WORD.get(word) ?? 0) | toLanguageSet(language))
  }

/** The languages in which a folded word is a stop word. */
export function languagesOfStopWord(word: string): LanguageSet {
  return LANGUAGES_BY_STOP_WORD.get(word) ?? 0
}

const STOP_GRAMS = new Set(STOP_WORDS.get('n-grams'))
const HIRAGANA = /^\p{Script=Hiragana}$/u

/** Whether an n-gram is, most often, part of a function word, a question word or an ending. A single Hiragana is. */
export function isStopGram(gram: string): boolean {
  return STOP_GRAMS.has(gram) || HIRAGANA.test(gram)
}
