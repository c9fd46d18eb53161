import { split } from '../../text/analyzer.ts'
import { fold } from '../../text/fold.ts'
import lists from './lasting.txt' with { type: 'text' }

/** A class of phrases; `lasting.txt` says what each is for. */
export type PhraseClass =
  | 'onward'
  | 'decided'
  | 'rule'
  | 'remember'
  | 'always'
  | 'all'
  | 'house'
  | 'we'
  | 'role'
  | 'not'
  | 'only'
  | 'reason'
  | 'is'
  | 'past'
  | 'case'
  | 'task'
  | 'opening'
  | 'other'
  | 'brief'
  | 'idiom'
  | 'withdraw'

/** What finds the phrases of each class in a text that `toComparable` made. */
export type WordList = Record<PhraseClass, RegExp>

/** Lower case without accents, with plain apostrophes. */
export const toComparable = (text: string): string => fold(text.toLowerCase()).replaceAll('’', "'")

/** Words that may stand before the first word of a clause. */
export const LEADS =
  'and|but|so|please|also|ok|okay|und|aber|bitte|et|mais|y|pero|e|ma|mas|en|maar|i|ale|и|но|а|och|men|ve|ama'
// As many words as a text has would take time that is quadratic in its length, for each of the phrases.
const AT_CLAUSE = `(?<=(?:^|[,.;:!?–—()-])\\s*(?:(?:${LEADS})[ ,]+){0,3})`
/** Scripts that are written without spaces between words, or with endings joined to them. */
const JOINED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const WORD_START = '(?<![\\p{L}\\p{N}])'
const WORD_END = '(?![\\p{L}\\p{N}])'

const toBody = (phrase: string) => phrase.split('*').map(RegExp.escape).join('\\p{L}*')

function toPattern(phrase: string): string {
  const text = phrase.replace(/^\^/, '')
  if (JOINED_SCRIPT.test(text)) return toBody(text)
  const before = text !== phrase ? AT_CLAUSE : /^[\p{L}\p{N}*]/u.test(text) ? WORD_START : ''
  return before + toBody(text) + (/[\p{L}\p{N}]$/u.test(text) ? WORD_END : '')
}

const isWholeWords = (phrase: string) => /^[\p{L}\p{N}*].*[\p{L}\p{N}]$/u.test(phrase) && !JOINED_SCRIPT.test(phrase)

function toClass(line: string): [name: string, found: RegExp][] {
  const at = line.indexOf(': ')
  if (at < 0) return []
  const { whole = [], part = [] } = Object.groupBy(toComparable(line.slice(at + 2)).split(' | '), (phrase) =>
    isWholeWords(phrase) ? 'whole' : 'part',
  )
  // A lookbehind for each phrase makes the first sentence of a language take 51 ms in place of 5.
  const words = whole.length === 0 ? [] : [`${WORD_START}(?:${whole.map(toBody).join('|')})${WORD_END}`]
  return [[line.slice(0, at), new RegExp([...words, ...part.map(toPattern)].join('|'), 'u')]]
}

/** The lists by their languages. */
const LISTS = new Map(
  lists
    .split('\n## ')
    .slice(1)
    .map((list) => {
      const [language = '', ...lines] = list.split('\n')
      return [language, Object.fromEntries(lines.flatMap(toClass))] as const
    }),
)

/** Finds laughter in a text that `toComparable` made: what is said with it is not meant. */
export const JOKE = LISTS.get('any')?.joke ?? /$^/

const MAX_SAMPLE_LENGTH = 4_096
const SCRIPTS: [language: string, script: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
]

/** The list of the language that a text is written in; undefined if there is none. */
export function findWordList(text: string): WordList | undefined {
  const sample = text.slice(0, MAX_SAMPLE_LENGTH)
  const byScript = SCRIPTS.find(([, script]) => script.test(sample))?.[0]
  return LISTS.get(byScript ?? split(sample).language) as WordList | undefined
}
