import { isAscii } from './ascii.ts'
import { fold } from './fold.ts'
import { LANGUAGES, type Language, type LanguageSet, toLanguageSet } from './language.ts'
import { languagesOfStopWord } from './stop-words.ts'

/** Letters that few languages use. */
const LETTERS: [string, Language[]][] = [
  ['ñ¿¡', ['es']],
  ['ß', ['de']],
  ['äö', ['de', 'sv', 'fi']],
  ['ü', ['de', 'tr']],
  ['çê', ['fr', 'pt']],
  ['èùœ', ['fr', 'it']],
  ['ãõ', ['pt']],
  ['å', ['sv', 'da']],
  ['øæ', ['da']],
  ['ăâîșțţ', ['ro']],
  ['ğıİ', ['tr']],
  ['ş', ['tr', 'ro']],
  ['őű', ['hu']],
  ['ąęłńśźż', ['pl']],
  ['ěřůčšž', ['cs']],
  ['پچژگ', ['fa']],
  ['ةىأإ', ['ar']],
  ['đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ', ['vi']],
]
/** The languages that use a letter, by its UTF-16 unit. */
const LANGUAGES_BY_LETTER = new Map<number, LanguageSet>()
for (const [letters, languages] of LETTERS)
  for (const letter of letters)
    for (const language of languages) {
      const unit = letter.charCodeAt(0)
      LANGUAGES_BY_LETTER.set(unit, (LANGUAGES_BY_LETTER.get(unit) ?? 0) | toLanguageSet(language))
    }

/** Runs that must be typical of a language before a text is analyzed in it instead of in English. */
const MIN_VOTES = 2

/** Counts the runs of a text that are typical of each language. */
type LanguageVotes = {
  add: (run: string) => void
  /** The language with the most votes, the first in LANGUAGES of those; English if none has two. */
  winner: () => Language
}

export function createLanguageVotes(): LanguageVotes {
  const votes = new Uint32Array(LANGUAGES.length)
  return {
    add: (run) => {
      for (let rest = languagesOf(run); rest !== 0; rest &= rest - 1) {
        const lowest = 31 - Math.clz32(rest & -rest)
        votes[lowest] = (votes[lowest] ?? 0) + 1
      }
    },
    winner: () => {
      let best = 0
      for (let at = 0; at < votes.length; at++) if ((votes[at] ?? 0) > Math.max(votes[best] ?? 0, MIN_VOTES - 1)) best = at
      return LANGUAGES[best] ?? 'en'
    },
  }
}

/** The languages of which a run is typical: it is a stop word, with or without accents, or has a letter that few others use. */
function languagesOf(run: string): LanguageSet {
  const word = run.toLowerCase()
  if (isAscii(word)) return languagesOfStopWord(word)
  const folded = fold(word)
  let languages = languagesOfStopWord(folded) | (folded === word ? 0 : languagesOfStopWord(word))
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at)
    if (unit > 127) languages |= LANGUAGES_BY_LETTER.get(unit) ?? 0
  }
  return languages
}
