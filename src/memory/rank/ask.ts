import { formBits } from '../words/hash.ts'
import { read, wordsOf } from '../words/read.ts'
import { LANGUAGES, type Language, stopBits } from '../words/stop.ts'
import type { Word } from '../words/word.ts'
import type { Term } from './term.ts'

/** A compound joined says little that its parts did not: 0.3 was better on the mean than 0.15, 0.5 and 1. */
const WHOLE = 0.3
/** One Han character beside its pairs: 0.45 was better than 0.15 and 0.3. */
const SINGLE = 0.45
/** Function words tell matches apart a little: 0.25 was better than 0.1 and 0.4, and much better than 0. */
const WEAK = 0.25

/** The terms of a question, the first `most` of them, each once, stemmed in the language it seems to be in and in those the project is written in. */
export function ask(query: string, spoken: readonly Language[], most = Number.POSITIVE_INFINITY): Term[] {
  const { pieces, language } = read(query)
  const languages = [...new Set([language, ...spoken])]
  const stops = languages.reduce((bits, known) => bits | (1 << LANGUAGES.indexOf(known)), 0)
  const terms = new Map<string, Term>()
  for (const piece of pieces) {
    if (terms.size >= most) break
    const readings = languages.map((known) => wordsOf(piece, known))
    readings[0]?.forEach((word, at) => {
      if (word.kind === 'tail') return
      add(terms, toTerm(word, formsOf(readings, word, at), stops))
    })
  }
  return withoutWeakness([...terms.values()].slice(0, most))
}

/** What the word at one place of a piece becomes in each language, each once. */
function formsOf(readings: Word[][], word: Word, at: number): string[] {
  if (readings.length === 1) return [word.term]
  return [...new Set(readings.map((words) => words[at]?.term ?? word.term))]
}

function toTerm(word: Word, forms: string[], stops: number): Term {
  const base = { word: word.surface, forms, form: formBits(word.surface) }
  if (word.kind === 'single') return { ...base, share: SINGLE, use: 'single' }
  if (word.kind === 'whole') return { ...base, share: WHOLE, use: 'rare' }
  const isStop = word.kind !== 'gram' && (stopBits(word.surface) & stops) !== 0
  return isStop ? { ...base, share: WEAK, use: 'weak' } : { ...base, share: 1, use: 'rare' }
}

function add(terms: Map<string, Term>, term: Term): void {
  const name = term.forms[0] ?? ''
  const known = terms.get(name)
  if (known === undefined || known.share < term.share) terms.set(name, term)
}

/** A question of function words alone means them. */
function withoutWeakness(terms: Term[]): Term[] {
  if (terms.some(({ use }) => use === 'rare')) return terms
  return terms.map((term) => ({ ...term, share: 1, use: 'rare' }))
}
