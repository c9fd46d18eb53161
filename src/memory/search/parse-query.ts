import { splitQuery } from '../../text/analyzer.ts'
import { type Language, type LanguageSet, toLanguageSet } from '../../text/language.ts'
import { languagesOfStopWord } from '../../text/stop-words.ts'
import { formBits } from '../../text/token-codes.ts'
import { type Token, tokenize } from '../../text/tokens.ts'
import type { QueryTerm } from './query-term.ts'

/** A compound joined says little that its parts did not: 0.3 was better on the mean than 0.15, 0.5 and 1. */
const WHOLE_SHARE = 0.3
/** One Han character beside its pairs: 0.45 was better than 0.15 and 0.3. */
const SINGLE_SHARE = 0.45
/** Function words tell matches apart a little: 0.25 was better than 0.1 and 0.4, and much better than 0. */
const STOP_WORD_SHARE = 0.25

/** The terms of a question, the first `most` of them, each once, stemmed in the language it seems to be in and in those the project is written in. */
export function parseQuery(query: string, spoken: readonly Language[], most = Number.POSITIVE_INFINITY): QueryTerm[] {
  const { runs, language } = splitQuery(query)
  const languages = [...new Set([language, ...spoken])]
  const stops = languages.reduce((set, known) => set | toLanguageSet(known), 0)
  const terms = new Map<string, QueryTerm>()
  for (const run of runs) {
    if (terms.size >= most) break
    const readings = languages.map((known) => tokenize(run, known))
    readings[0]?.forEach((word, at) => {
      if (word.kind === 'tail') return
      add(terms, toTerm(word, formsOf(readings, word, at), stops))
    })
  }
  return withoutWeakness([...terms.values()].slice(0, most))
}

/** What the word at one place of a piece becomes in each language, each once. */
function formsOf(readings: Token[][], word: Token, at: number): string[] {
  if (readings.length === 1) return [word.term]
  return [...new Set(readings.map((words) => words[at]?.term ?? word.term))]
}

function toTerm(word: Token, forms: string[], stops: LanguageSet): QueryTerm {
  const base = { word: word.surface, forms, form: formBits(word.surface) }
  if (word.kind === 'single') return { ...base, share: SINGLE_SHARE, use: 'single' }
  if (word.kind === 'whole') return { ...base, share: WHOLE_SHARE, use: 'rare' }
  const isStop = word.kind !== 'gram' && (languagesOfStopWord(word.surface) & stops) !== 0
  return isStop ? { ...base, share: STOP_WORD_SHARE, use: 'weak' } : { ...base, share: 1, use: 'rare' }
}

function add(terms: Map<string, QueryTerm>, term: QueryTerm): void {
  const name = term.forms[0] ?? ''
  const known = terms.get(name)
  if (known === undefined || known.share < term.share) terms.set(name, term)
}

/** A question of function words alone means them. */
function withoutWeakness(terms: QueryTerm[]): QueryTerm[] {
  if (terms.some(({ use }) => use === 'rare')) return terms
  return terms.map((term) => ({ ...term, share: 1, use: 'rare' }))
}
