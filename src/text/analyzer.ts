import { finish, finishInSlices, type Steps } from '../cooperative.ts'
import { createGate } from '../semaphore.ts'
import { isAscii } from './ascii.ts'
import { createLanguageVotes } from './detect-language.ts'
import type { Language } from './language.ts'
import { normalizeInSteps } from './normalize.ts'
import { splitRunsInSteps } from './runs.ts'
import { endingsIn } from './stem.ts'
import { FIELD_BREAK, type TokenCode, toTokenCode } from './token-codes.ts'
import { tokenize } from './tokens.ts'

/**
 * The version of the rules by which text becomes terms and token codes. A change of a rule, a list or a stemmer takes
 * the next number, and indexes of other versions are rebuilt.
 */
export const ANALYZER_VERSION = 8

/** What the index and the exact scoring need of a text. */
export type AnalyzedText = {
  /**
   * The terms for the full-text index, separated by blanks: letters, digits, marks and pictographs in lower case. A
   * word that the text repeats gives its terms once.
   */
  terms: string
  /** The language in which Latin script was read. */
  language: Language
  /** Length in words, at least 1. In a script without spaces each n-gram counts as a word. */
  length: number
  /**
   * A code for each token that the exact scoring reads, in the order of the text, and behind them those of the endings
   * of compounds, each once.
   */
  codes: Uint32Array
}

/** UTF-16 units of runs that are analyzed in one piece. The slowest, words of Hungarian, take about 2 ms. */
const PIECE_LENGTH = 1_024
/**
 * Longer runs give their terms each time they are repeated. The index takes the same from either; existing entries were
 * made so.
 */
const MAX_DEDUPLICATED_LENGTH = 32

/**
 * Analyzes a text. Never throws; the same text always gives the same. Time is linear in its length: about 60 µs for 500
 * characters.
 */
export function analyze(text: string): AnalyzedText {
  return finish(analyzeInSteps(text))
}

/** In UTF-16 units. Longer texts have thousands of terms in memory while they are analyzed, so few are at a time. */
const MAX_SHORT_LENGTH = 4_096
const MAX_LONG_AT_ONCE = 4

const gate = createGate(MAX_LONG_AT_ONCE)

/** The same as `analyze`, a slice at a time: 1 024 characters may become 18 times as many. */
export function analyzeInSlices(text: string): Promise<AnalyzedText> {
  const analyzed = () => finishInSlices(analyzeInSteps(text))
  return text.length <= MAX_SHORT_LENGTH ? analyzed() : gate(analyzed)
}

/** What the index and the exact scoring need of phrases beside a text. */
type AnalyzedPhrases = Pick<AnalyzedText, 'terms' | 'codes'>

/**
 * Analyzes phrases in the language of the text that they belong to. In the codes, each phrase begins with
 * `FIELD_BREAK`.
 */
export function analyzePhrases(phrases: string[], language: Language): AnalyzedPhrases {
  const analyzed = phrases.map((phrase) => finish(analyzeRuns(split(phrase).runs, language)))
  return {
    terms: analyzed.map(({ terms }) => terms).join(' '),
    codes: Uint32Array.from(analyzed.flatMap(({ codes }) => [FIELD_BREAK, ...codes])),
  }
}

/**
 * Splits a text into the runs that become tokens, and detects the language in which its Latin script is read. Never
 * throws. Time is linear in its length.
 */
export function* splitInSteps(text: string): Steps<{ runs: string[]; language: Language }> {
  const runs = yield* splitRunsInSteps(yield* filterCharactersInSteps(text))
  const votes = createLanguageVotes()
  yield* forEachRun(runs, votes.add)
  if (votes.isForeign()) yield* forEachRun(new Set(runs), votes.addLetterGroups)
  return { runs, language: votes.winner() }
}

/** The same as `splitInSteps`, for a short text. */
export const split = (text: string) => finish(splitInSteps(text))

function* analyzeInSteps(text: string): Steps<AnalyzedText> {
  const { runs, language } = yield* splitInSteps(text)
  return { language, ...(yield* analyzeRuns(runs, language)) }
}

function* analyzeRuns(runs: string[], language: Language): Steps<Omit<AnalyzedText, 'language'>> {
  const seen = new Map<string, AnalyzedRun>()
  const terms: string[] = []
  const codes: TokenCode[] = []
  const endings: TokenCode[] = []
  let length = 0
  yield* forEachRun(runs, (run) => {
    const analyzed = seen.get(run) ?? analyzeRun(run, language, terms, endings)
    if (run.length <= MAX_DEDUPLICATED_LENGTH) seen.set(run, analyzed)
    for (const code of analyzed.codes) codes.push(code)
    length += analyzed.length
  })
  // A term that is cut inside a surrogate pair would not survive UTF-8, in which the index stores it.
  return { terms: terms.join(' ').toWellFormed(), length: length || 1, codes: new Uint32Array([...codes, ...endings]) }
}

/**
 * Visits runs in order, with a pause after each PIECE_LENGTH units of them; `readings` is how often each is analyzed.
 */
export function* forEachRun(runs: Iterable<string>, visit: (run: string) => void, readings = 1): Steps<void> {
  let pieceLength = 0
  for (const run of runs) {
    pieceLength += run.length * readings
    if (pieceLength > PIECE_LENGTH) {
      yield
      pieceLength = run.length * readings
    }
    visit(run)
  }
}

/** What each occurrence of a run adds to a text. */
type AnalyzedRun = { codes: TokenCode[]; length: number }

/**
 * Analyzes a run that the text had not before, and adds what it has once for all occurrences: its terms, and the codes
 * of its endings.
 */
function analyzeRun(run: string, language: Language, terms: string[], endings: TokenCode[]): AnalyzedRun {
  const analyzed: AnalyzedRun = { codes: [], length: 0 }
  for (const { term, surface, kind } of tokenize(run, language)) {
    if (kind !== 'single') terms.push(term)
    if (kind !== 'tail') analyzed.codes.push(toTokenCode(term, surface))
    if (kind === 'word' || kind === 'part' || kind === 'gram') analyzed.length++
    if (kind !== 'word') continue
    for (const ending of endingsIn(surface, language)) {
      terms.push(ending)
      endings.push(toTokenCode(ending, ''))
    }
  }
  return analyzed
}

/** Joiners, direction marks and soft hyphens: a reader does not see them, so they must not separate words. */
const INVISIBLE = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
/** Persian separates some endings by a zero-width non-joiner, which other writers replace by a space. */
const HALF_SPACE = /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu
/** The comma in `1,000`, which is the number 1000. */
const THOUSANDS_SEPARATOR = /(?<=\d),(?=\d{3}(?!\d))/g

/**
 * The digit zero of each script that has digits of its own, Arabic to Khmer. The digits 1 to 9 follow it in Unicode.
 */
const ZEROS = [...'٠۰०০੦૦୦௦౦೦൦๐໐༠၀០']
const DIGITS = new RegExp(
  `[${ZEROS.map((zero) => `${zero}-${String.fromCharCode(zero.charCodeAt(0) + 9)}`).join('')}]`,
  'g',
)
const ASCII_DIGITS = new Map(
  ZEROS.flatMap((zero) =>
    Array.from({ length: 10 }, (_, value) => [String.fromCharCode(zero.charCodeAt(0) + value), `${value}`]),
  ),
)

/**
 * The first step of analysis, a piece at a time: NFKC, invisible characters removed, digits of every script as 0 to 9,
 * no thousands separators.
 */
function* filterCharactersInSteps(text: string): Steps<string> {
  const filtered = isAscii(text) ? text : yield* filterUnicode(text)
  return filtered.includes(',') ? filtered.replace(THOUSANDS_SEPARATOR, '') : filtered
}

function* filterUnicode(text: string): Steps<string> {
  const normalized = yield* normalizeInSteps(text.toWellFormed(), 'NFKC')
  yield
  const visible = normalized.replace(HALF_SPACE, ' ').replace(INVISIBLE, '')
  yield
  return visible.replace(DIGITS, (digit) => ASCII_DIGITS.get(digit) ?? digit)
}
