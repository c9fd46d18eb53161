import { takeApart } from './compound.ts'
import { foldIn } from './fold.ts'
import { grams, singles } from './grams.ts'
import { HAN, HANGUL, PICTURE, UNSPACED } from './script.ts'
import { stem } from './stem.ts'
import type { Language } from './stop.ts'
import type { Kind, Token } from './word.ts'

/** A term is cut here, in UTF-16 units: nobody types more, and no index should keep it. */
const MAX_TERM_CHARACTERS = 64
const APOSTROPHE = /['’]/g
/** Articles, prepositions and pronouns that French, Italian and their neighbours fuse to the next word. */
const ELISION =
  /^(?:\p{L}{1,2}|\p{L}*qu|[ndsc]?all|[dnscq]u?ell|sull|quest|tutt|nient|sant|bell|mezz|senz|anch|cos|dov|com|nessun|ciascun|qualcun|entr)'(?=[aeiouhyàâäéèêëíîïóôöùúû])/u
/** Languages that set an ending off from a name by an apostrophe. */
const SET_OFF = new Set<Language>(['tr', 'pl'])

/** Most runs: a word of plain letters, which nothing takes apart. */
const PLAIN = /^[A-Z]?[a-z]+$/

/** The words of one run of characters that play the same role. What is joined is a name, and the same in every language. */
export function toTokens(run: string, role: number, language: Language): Token[] {
  if (PLAIN.test(run)) return [toWord(run.toLowerCase(), 'word', language)]
  if (role === HAN) return spellHan(run)
  if (role === UNSPACED) return grams(run, 3)
  if (role === HANGUL) return spellHangul(run)
  if (role === PICTURE) return [{ term: run, surface: run, kind: 'word' }]
  const { parts, wholes } = takeApart(run)
  const kind: Kind = parts.length > 1 ? 'part' : 'word'
  const words: Token[] = []
  for (const part of parts) for (const word of separate(part.toLowerCase(), language)) words.push(toWord(word, kind, language))
  for (const whole of wholes) words.push(toWord(withoutApostrophes(whole.toLowerCase()), parts.length > 0 ? 'whole' : 'word', 'en'))
  return words
}

function spellHan(run: string): Token[] {
  const pairs = grams(run, 2)
  return pairs.length > 1 ? [...pairs, ...singles(run)] : pairs
}

function spellHangul(run: string): Token[] {
  const pairs = grams(run, 2)
  const whole = run.slice(0, MAX_TERM_CHARACTERS)
  return pairs.length > 2 ? [...pairs, { term: whole, surface: whole, kind: 'whole' }] : pairs
}

/** Takes a possessive off, an elided article and an ending that is set off apart; what apostrophes are left fall away. */
function separate(word: string, language: Language): string[] {
  if (!hasApostrophe(word)) return [word]
  const plain = word.replaceAll('’', "'").replace(/^'+|'+$|'s$/g, '')
  if (SET_OFF.has(language)) return plain.split("'").filter((part) => part !== '')
  const elided = ELISION.exec(plain)?.[0] ?? ''
  return [elided, plain.slice(elided.length)].map((part) => part.replaceAll("'", '')).filter((part) => part !== '')
}

function withoutApostrophes(word: string): string {
  return hasApostrophe(word) ? word.replaceAll(APOSTROPHE, '') : word
}

function hasApostrophe(word: string): boolean {
  return word.includes("'") || word.includes('’')
}

function toWord(word: string, kind: Kind, language: Language): Token {
  const cut = word.slice(0, MAX_TERM_CHARACTERS)
  return { term: stem(cut, language), surface: foldIn(cut, language), kind }
}
