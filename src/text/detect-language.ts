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

/**
 * Groups of letters that few other languages have, by which a short text without function words is told from English.
 * Of 1 500 messages of programs in each language, of 30 to 80 characters, 87 % of the Finnish ones are read in their
 * language instead of 38 %, of the Dutch 87 instead of 75, of the Swedish 85 instead of 78, of the German 90 instead of
 * 86, of the Danish 80 instead of 76; of 6 000 English ones 99.5 % instead of 99.6.
 */
const LETTER_GROUPS: [RegExp, LanguageSet][] = [
  [/tz|nnt|.{3}ung(?:en)?$|[hk]eit(?:en)?$|[iu]sch|^ge.*t$|lich/, toLanguageSet('de')],
  [/ij|oe[dgkpr]|rdt$|eerd$|heid|lijk/, toLanguageSet('nl')],
  [/cht/, toLanguageSet('de') | toLanguageSet('nl')],
  [/aa[a-z]|uu[a-z]/, toLanguageSet('nl') | toLanguageSet('fi')],
  [/^för|(?:ar|or|er)na$|ades$|yck|ck(?:a[rnt]?|or)$|ä[lrn][dl]|ningen$/, toLanguageSet('sv')],
  [/hed(?:en|er)$|.{3}else(?:n|r|rne)?$|e(?:rne|ret)$|ndt|unne/, toLanguageSet('da')],
  [/[äöy]{2}|[äö]i|i[äö]|än?$|(?:ss|ll|st|lt|tt)a$|inen$|ttu$|iin$|oit[aetu]|aa$|uu$/, toLanguageSet('fi')],
]
const MIN_GROUP_WORD_LENGTH = 4
const LETTERS_ONLY = /^\p{L}+$/u

/** Runs that must be typical of a language before a text is analyzed in it instead of in English. */
const MIN_VOTES = 2

/** Counts the runs of a text that are typical of each language. */
type LanguageVotes = {
  add: (run: string) => void
  /** Whether too few runs are English for the text to be so for sure. Then its letter groups are counted, too. */
  isForeign: () => boolean
  addLetterGroups: (run: string) => void
  /** The language with the most votes, the first in LANGUAGES of those; English if none has two. */
  winner: () => Language
}

export function createLanguageVotes(): LanguageVotes {
  const votes = new Uint32Array(LANGUAGES.length)
  const addAll = (languages: LanguageSet) => {
    for (let rest = languages; rest !== 0; rest &= rest - 1) {
      const lowest = 31 - Math.clz32(rest & -rest)
      votes[lowest] = (votes[lowest] ?? 0) + 1
    }
  }
  return {
    add: (run) => addAll(languagesOf(run)),
    isForeign: () => (votes[0] ?? 0) < MIN_VOTES,
    addLetterGroups: (run) => addAll(languagesOfLetterGroups(run)),
    winner: () => {
      let best = 0
      for (let at = 0; at < votes.length; at++)
        if ((votes[at] ?? 0) > Math.max(votes[best] ?? 0, MIN_VOTES - 1)) best = at
      return LANGUAGES[best] ?? 'en'
    },
  }
}

/**
 * The languages that a run is typical of: it is a stop word, with or without accents, or has a letter that few others
 * use.
 */
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

function languagesOfLetterGroups(run: string): LanguageSet {
  if (run.length < MIN_GROUP_WORD_LENGTH || !LETTERS_ONLY.test(run)) return 0
  const word = run.toLowerCase()
  return LETTER_GROUPS.reduce((all, [group, languages]) => (group.test(word) ? all | languages : all), 0)
}
