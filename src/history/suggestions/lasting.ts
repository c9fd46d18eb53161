import { JOKE, LEADS, type PhraseClass, toComparable, type WordList } from './word-lists.ts'

const CLAUSE_END = /[,;:–—()、，；：]| - /
const LEADING = new RegExp(`^[\\s"'«(]*(?:(?:${LEADS})[ ,]+)*`)

/** What a phrase of a class counts, wherever it stands. All points were tuned on 90 sessions of 23 people. */
const PHRASE_POINTS: [PhraseClass, number][] = [
  ['always', 4],
  ['onward', 3],
  ['decided', 3],
  ['rule', 3],
  ['remember', 3],
  ['all', 2],
  ['house', 2],
  ['we', 2],
  ['not', 2],
  ['only', 2],
  ['role', 1],
  ['reason', 1],
  ['is', 1],
  ['past', -3],
  ['case', -4],
]
/** What a phrase counts that begins a sentence. */
const OPENING_POINTS: [PhraseClass, number][] = [
  ['task', -6],
  ['opening', -2],
]
/** "He always", "it never": told of somebody or something. */
const TOLD_POINTS = -4
/** In the first prompt, which gives the session its task. */
const FIRST_POINTS = -3
/** A number, an address, the name of a file. */
const VALUE = /[\d_/@#]|\w\.\w/
const VALUE_POINTS = 1
/** Who says what lasts also explains it: a point for each so many columns, up to a maximum. */
const COLUMNS_OF_POINT = 30
const MAX_LENGTH_POINTS = 3

/** Points from which on a sentence lasts. */
export const MIN_POINTS = 7

/** A question, or an announcement of what follows. */
const isQuestion = (own: string) => /[?？]["”»)\s]*$|[:：]\s*$/.test(own)

const startsWith = (text: string, phrase: RegExp) => phrase.exec(text.replace(LEADING, ''))?.index === 0

const isTold = (said: string, { always, other }: WordList) =>
  said.split(CLAUSE_END).some((clause) => always.test(clause) && startsWith(clause, other))

/**
 * How much speaks for it that a typed sentence lasts beyond its session: that it gives a rule or a ban, or says how
 * things are at the speaker's place, and neither sets a task nor tells of a single case. 0 for a question, a joke and
 * what is for now only. `own` is the sentence without what it quotes.
 */
export function toPoints({ text, own }: { text: string; own: string }, words: WordList, isFirst: boolean): number {
  const said = toComparable(own)
  if (isQuestion(own) || [JOKE, words.brief, words.idiom].some((phrase) => phrase.test(said))) return 0
  const points = [
    ...PHRASE_POINTS.map(([name, value]) => (words[name].test(said) ? value : 0)),
    ...OPENING_POINTS.map(([name, value]) => (startsWith(said, words[name]) ? value : 0)),
    isTold(said, words) ? TOLD_POINTS : 0,
    isFirst ? FIRST_POINTS : 0,
    VALUE.test(text) ? VALUE_POINTS : 0,
    Math.min(MAX_LENGTH_POINTS, Math.floor(Bun.stringWidth(text) / COLUMNS_OF_POINT)),
  ]
  return points.reduce((sum, value) => sum + value)
}
