import type { Steps } from '../../cooperative.ts'
import { canonicalize } from '../canonical.ts'
import { buildAutomaton } from './automaton.ts'
import { CONCEPTS, type Concept } from './concepts.ts'
import { LEXICONS } from './lexicons.ts'

/** A concept met in a text, from `start` to `end`. */
export type Hit = { concept: number; start: number; end: number }

type Phrase = { text: string; concept: number; open: boolean }

const ADJECTIVE_ENDINGS = ' ый ая ое ые ого ой ому ую ым ых ыми ий і а у е их им ой ою ов ам и е es er en em n e y a ego ych ą'.split(' ')
// Scripts written without blanks between words have no word edges to ask for.
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/
const WORD_CHARACTER = /[\p{L}\p{N}_]/u

const build = () => {
  const phrases = LEXICONS.flatMap((lexicon) => Object.entries(lexicon).flatMap(([concept, list]) => toPhrases(concept, list)))
  return { phrases, find: buildAutomaton(phrases.map((phrase) => phrase.text)) }
}

// Made at the first text, because most commands of the executable never judge one.
let built: ReturnType<typeof build> | undefined

function toPhrases(concept: string, list: string): Phrase[] {
  const index = CONCEPTS.indexOf(concept as Concept)
  return list.split(' | ').flatMap((raw) => {
    const open = raw.endsWith('*') || UNSPACED.test(raw)
    return spread(canonicalize(raw.trim().replace(/\*$/, ''))).map((text) => ({ text, concept: index, open }))
  })
}

/** A `*` inside a phrase stands for the usual endings of an adjective. */
function spread(phrase: string): string[] {
  const [head, ...rest] = phrase.split('*')
  if (rest.length === 0) return [phrase]
  return ADJECTIVE_ENDINGS.flatMap((ending) => spread(`${head}${canonicalize(ending)}${rest.join('*')}`))
}

const isWord = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95
  return code > 127 && WORD_CHARACTER.test(text[at] ?? '')
}

/** All concepts in a folded text with single blanks, in the order in which they end. */
export function* findHits(text: string): Steps<Hit[]> {
  const hits: Hit[] = []
  built ??= build()
  const { phrases, find } = built
  yield* find(text, (index, end) => {
    const phrase = phrases[index]
    if (phrase === undefined) return
    const start = end - phrase.text.length
    if (!isAtEdge(text, phrase, start, end)) return
    hits.push({ concept: phrase.concept, start, end })
  })
  return hits
}

function isAtEdge(text: string, phrase: Phrase, start: number, end: number): boolean {
  const first = phrase.text.charCodeAt(0)
  if (first > 127 && UNSPACED.test(phrase.text)) return true
  if (isWord(phrase.text, 0) && start > 0 && isWord(text, start - 1)) return false
  return phrase.open || end >= text.length || !isWord(phrase.text, phrase.text.length - 1) || !isWord(text, end)
}
