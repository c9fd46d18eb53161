import { finishInSlices, type Steps } from '../../../cooperative.ts'
import { forEachRun, splitInSteps } from '../../../text/analyzer.ts'
import { type Language, type LanguageSet, toLanguageSet } from '../../../text/language.ts'
import { endingsOf } from '../../../text/stem.ts'
import { isStopGram, languagesOfStopWord } from '../../../text/stop-words.ts'
import { formBits } from '../../../text/token-codes.ts'
import { type Token, tokenize } from '../../../text/tokens.ts'
import { UUID } from '../../records/record.ts'
import { COMPOUND_SHARE, ENDING_SHARE, SINGLE_SHARE, STOP_WORD_SHARE } from '../weights.ts'

/** A word of a query, as the index and the scorer look for it. */
export type QueryTerm = {
  /** The word as it stands in the query, normalized. */
  word: string
  /**
   * What an answer calls the term if no record holds it: its word or, in a script without spaces, the whole run that it
   * is a part of and that several terms share. Undefined for the joined form of a compound, whose parts are named
   * already.
   */
  name: string | undefined
  /**
   * Terms of the index; any of them is a match: the word's stem in each language the query is analyzed in, or what
   * `expandTerm` found instead.
   */
  indexTerms: string[]
  /**
   * Hash bits of the word's surface form (`formBits`); a match with the same form scores more. Undefined for an
   * expansion.
   */
  form: number | undefined
  /**
   * Fraction in (0, 1] of the inverse document frequency that a match counts: less for stop words, joined compounds and
   * guesses.
   */
  share: number
  /**
   * `rare` terms find records. `weak` (stop words) and `single` (one Han character) only add to the score of records
   * that others find.
   */
  use: 'rare' | 'weak' | 'single'
  /** The compound that the term is a part or the joined form of; undefined for any other word. */
  compound: QueryCompound | undefined
  /**
   * Whether it is an ending, by which a word is found as the last part of a compound: it adds to a score, and a record
   * without it lacks nothing.
   */
  isEnding: boolean
  /** Positions of the wordings that have the term; 0 is the query itself, the others are what `also` gave. */
  wordings: number[]
}

/** A compound of a query, such as `src/getUser.ts`. All terms made of it refer to the same object. */
export type QueryCompound = {
  /** As it stands in the query, cut to 64 UTF-16 units. */
  text: string
  /** For each part, in order, the terms of the index that match it. */
  parts: string[][]
  /** The `word` of the term that is all of it, joined. Undefined for a version, whose last part is all of it. */
  joined: string | undefined
  /**
   * Whether it is a code, path, address or qualified name rather than words with hyphens or in camelCase, which prose
   * may spell in another way.
   */
  isIdentifier: boolean
  /** Whether it is a UUID and all of the query. Then a record that holds only a part of it is no match. */
  isSought: boolean
}

/** Whether a term is all of its compound, joined, or stands for that. */
export function isJoinedForm({ compound, name, word }: QueryTerm): boolean {
  return compound !== undefined && name === undefined && word === compound.joined
}

/**
 * The first `maxTerms` distinct terms of a query, in its order. Each word is stemmed in the detected language of the
 * query and in all of `recordLanguages`. If every term is a stop word, they count as ordinary words. Works a slice at a
 * time.
 */
export function parseQuery(
  query: string,
  recordLanguages: readonly Language[],
  maxTerms = Number.POSITIVE_INFINITY,
  wording = 0,
): Promise<QueryTerm[]> {
  return finishInSlices(parseInSteps(query, recordLanguages, maxTerms, wording))
}

function* parseInSteps(
  query: string,
  recordLanguages: readonly Language[],
  maxTerms: number,
  wording: number,
): Steps<QueryTerm[]> {
  const { runs, language } = yield* splitInSteps(query)
  const languages = [...new Set([language, ...recordLanguages])]
  const readIn = languages.reduce((set, known) => set | toLanguageSet(known), 0)
  const terms = new Map<string, QueryTerm>()
  const addTerms = (run: string) => {
    if (terms.size >= maxTerms) return
    const readings = languages.map((known) => tokenize(run, known))
    const [tokens = []] = readings
    const stems = tokens.map((token, at) => stemsOf(readings, token, at))
    const compound = toCompound(run, tokens, stems, runs.length === 1)
    tokens.forEach((token, at) => {
      if (token.kind === 'tail' || (token.kind === 'single' && isStopGram(token.term))) return
      addTerm(terms, {
        ...toQueryTerm(token, stems[at] ?? [], readIn),
        name: toName(token, run),
        compound,
        isEnding: false,
        wordings: [wording],
      })
      const ending = toEnding(
        token,
        languages,
        readings.map((tokens) => tokens[at]?.surface ?? token.surface),
      )
      if (ending !== undefined)
        addTerm(terms, {
          ...ending,
          name: toName(token, run),
          compound: undefined,
          isEnding: true,
          wordings: [wording],
        })
    })
  }
  yield* forEachRun(new Set(runs), addTerms, languages.length)
  return withSomeRare([...terms.values()].slice(0, maxTerms))
}

/** The distinct terms of the token at position `at`, over all languages. */
function stemsOf(readings: Token[][], token: Token, at: number): string[] {
  if (readings.length === 1) return [token.term]
  return [...new Set(readings.map((tokens) => tokens[at]?.term ?? token.term))]
}

/**
 * A sign between parts, but no hyphen between words, and no single slash: `well-known`, `9th`, `OCT3/4` and `km/h` are
 * words of prose, which another text may hold in part or spell apart.
 */
const IDENTIFIER = /[_.\\@#:+&]|\/.*\/|\p{N}.*-|-.*\p{N}/u

function toCompound(run: string, tokens: Token[], stems: string[][], isOnly: boolean): QueryCompound | undefined {
  const parts = stems.filter((_, at) => tokens[at]?.kind === 'part')
  if (parts.length < 2) return undefined
  const last = tokens.at(-1)
  const joined = last?.kind === 'whole' ? last.surface : undefined
  const isUuid = UUID.test(run)
  return {
    text: toShownRun(run),
    parts,
    joined,
    isIdentifier: isUuid || IDENTIFIER.test(run),
    isSought: isUuid && isOnly,
  }
}

const MAX_NAME_LENGTH = 64

const toShownRun = (run: string): string => run.slice(0, MAX_NAME_LENGTH).toWellFormed()

function toName({ kind, surface }: Token, run: string): string | undefined {
  if (kind === 'whole') return undefined
  return kind === 'gram' ? toShownRun(run) : surface
}

type Weighed = Omit<QueryTerm, 'name' | 'compound' | 'isEnding' | 'wordings'>

function toQueryTerm(token: Token, indexTerms: string[], readIn: LanguageSet): Weighed {
  const base = { word: token.surface, indexTerms, form: formBits(token.surface) }
  if (token.kind === 'single') return { ...base, share: SINGLE_SHARE, use: 'single' }
  if (token.kind === 'whole') return { ...base, share: COMPOUND_SHARE, use: 'rare' }
  const isStop = token.kind === 'gram' ? isStopGram(token.term) : (languagesOfStopWord(token.surface) & readIn) !== 0
  return isStop ? { ...base, share: STOP_WORD_SHARE, use: 'weak' } : { ...base, share: 1, use: 'rare' }
}

/** The term by which a word is found as the last part of a compound, in the languages that have any. */
function toEnding({ kind, surface }: Token, languages: Language[], surfaces: string[]): Weighed | undefined {
  if (kind !== 'word' || languagesOfStopWord(surface) !== 0) return undefined
  const endings = languages.flatMap((language, at) => endingsOf(surfaces[at] ?? surface, language))
  if (endings.length === 0) return undefined
  return { word: surface, indexTerms: [...new Set(endings)], form: undefined, share: ENDING_SHARE, use: 'rare' }
}

/**
 * Adds a term; of two words with the same stem, the one with the larger share is kept. A word that also stands alone
 * counts as no part of a compound.
 */
function addTerm(terms: Map<string, QueryTerm>, term: QueryTerm): void {
  const key = term.indexTerms[0] ?? ''
  const known = terms.get(key)
  if (known === undefined || known.share < term.share) terms.set(key, term)
  else if (term.compound === undefined) terms.set(key, { ...known, compound: undefined })
}

function withSomeRare(terms: QueryTerm[]): QueryTerm[] {
  if (terms.some(({ use }) => use === 'rare')) return terms
  return terms.map((term) => (term.use === 'weak' ? { ...term, share: 1, use: 'rare' } : term))
}
