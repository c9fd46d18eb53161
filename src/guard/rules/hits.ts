import type { Steps } from '../../cooperative.ts'
import { canonicalize } from '../canonical.ts'
import { buildAutomaton } from './automaton.ts'
import { CONCEPTS, type Concept } from './concepts.ts'
import { LEXICONS } from './lexicons.ts'

/** A phrase of a concept in a text, from `start` up to `end`. `concept` is its position in CONCEPTS. */
export type Hit = { concept: number; start: number; end: number }

/** A phrase in canonical spelling. An open one may be followed by more letters of the same word. */
type Phrase = { text: string; concept: number; isOpen: boolean }

/** What a `*` inside a phrase stands for: endings of adjectives in Slavic, Germanic and Romance languages, and none. */
const ADJECTIVE_ENDINGS = ' ый ая ое ые ого ой ому ую ым ых ыми ий і а у е их им ой ою ов ам и е es er en em n e y a ego ych ą'.split(' ')
/** Scripts without spaces between words, where a phrase may begin and end anywhere. */
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/
const WORD_CHARACTER = /[\p{L}\p{N}_]/u

type PhraseMatcher = { phrases: Phrase[]; find: ReturnType<typeof buildAutomaton> }

/** Built at the first text in 0.1 s, because most commands of the executable never inspect one. */
let matcher: PhraseMatcher | undefined

function buildMatcher(): PhraseMatcher {
  const phrases = LEXICONS.flatMap((lexicon) => Object.entries(lexicon).flatMap(([concept, list]) => toPhrases(concept, list)))
  return { phrases, find: buildAutomaton(phrases.map(({ text }) => text)) }
}

function toPhrases(concept: string, list: string): Phrase[] {
  const number = CONCEPTS.indexOf(concept as Concept)
  return list.split(' | ').flatMap((phrase) => {
    const isOpen = phrase.endsWith('*') || UNSPACED.test(phrase)
    return expandEndings(canonicalize(phrase.trim().replace(/\*$/, ''))).map((text) => ({ text, concept: number, isOpen }))
  })
}

function expandEndings(phrase: string): string[] {
  const [head, ...rest] = phrase.split('*')
  if (rest.length === 0) return [phrase]
  return ADJECTIVE_ENDINGS.flatMap((ending) => expandEndings(`${head}${canonicalize(ending)}${rest.join('*')}`))
}

/** The phrases in a canonical text whose blanks are all spaces, in the order in which they end. Time linear in the text and the number of hits. */
export function* findHits(text: string): Steps<Hit[]> {
  const hits: Hit[] = []
  matcher ??= buildMatcher()
  const { phrases, find } = matcher
  yield* find(text, (index, end) => {
    const phrase = phrases[index]
    if (phrase === undefined) return
    const start = end - phrase.text.length
    if (isAtWordBorders(text, phrase, start, end)) hits.push({ concept: phrase.concept, start, end })
  })
  return hits
}

function isAtWordBorders(text: string, phrase: Phrase, start: number, end: number): boolean {
  if (phrase.text.charCodeAt(0) > 127 && UNSPACED.test(phrase.text)) return true
  if (isWordCharacter(phrase.text, 0) && start > 0 && isWordCharacter(text, start - 1)) return false
  return phrase.isOpen || end >= text.length || !isWordCharacter(phrase.text, phrase.text.length - 1) || !isWordCharacter(text, end)
}

function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95
  return WORD_CHARACTER.test(text[at] ?? '')
}
