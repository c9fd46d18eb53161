import { CHAR_CLASS, charClassOf } from './char-class.ts'
import { splitCompound } from './compound.ts'
import { foldIn } from './fold.ts'
import type { Language } from './language.ts'
import { stem } from './stem.ts'

/**
 * What a token is made of, which decides how it is used. `word`: a word of the text. `part`: a part of a compound.
 * `whole`: a compound joined. `gram`: some characters of a script without spaces. `single`: one such character; for
 * exact scoring, not for the index. `tail`: the end of such a run, so that a shorter query finds it; for the index
 * only.
 */
type TokenKind = 'word' | 'part' | 'whole' | 'gram' | 'single' | 'tail'

/** A term of the index, and `surface`: the folded but unstemmed form that it has in the text. */
export type Token = { term: string; surface: string; kind: TokenKind }

/** Longer terms are cut, in UTF-16 units: nobody types more, and no index should keep it. */
const MAX_TERM_LENGTH = 64
const APOSTROPHES = /['’]/g
const OUTER_APOSTROPHES_AND_POSSESSIVE = /^'+|'+$|'s$/g
/** Articles, prepositions and pronouns that French, Italian and related languages elide before a vowel. */
const ELISION =
  /^(?:\p{L}{1,2}|\p{L}*qu|[ndsc]?all|[dnscq]u?ell|sull|quest|tutt|nient|sant|bell|mezz|senz|anch|cos|dov|com|nessun|ciascun|qualcun|entr)'(?=[aeiouhyàâäéèêëíîïóôöùúû])/u
/** Languages that separate a name from its ending by an apostrophe: `İzmir'e`. */
const LANGUAGES_WITH_APOSTROPHE_BEFORE_ENDING = new Set<Language>(['tr', 'pl'])
/** Most runs: a word of plain letters, which no other rule concerns. */
const PLAIN_WORD = /^[A-Z]?[a-z]+$/

/**
 * The tokens of a run of characters of one class, in order. Compounds joined are names: they are analyzed alike in
 * every language.
 */
export function tokenize(run: string, language: Language): Token[] {
  if (PLAIN_WORD.test(run)) return [toToken(run.toLowerCase(), 'word', language)]
  switch (charClassOf(run.codePointAt(0) ?? 0)) {
    case CHAR_CLASS.HAN:
      return tokenizeHan(run)
    case CHAR_CLASS.UNSPACED:
      return toGrams(run, 3)
    case CHAR_CLASS.HANGUL:
      return tokenizeHangul(run)
    case CHAR_CLASS.PICTOGRAPH:
      return [toPlainToken(run, 'word')]
    default:
      return tokenizeCompound(run, language)
  }
}

function tokenizeCompound(run: string, language: Language): Token[] {
  const { parts, wholes } = splitCompound(run)
  const kind: TokenKind = parts.length > 1 ? 'part' : 'word'
  const tokens: Token[] = []
  for (const part of parts)
    for (const word of splitApostrophes(part.toLowerCase(), language)) tokens.push(toToken(word, kind, language))
  for (const whole of wholes) {
    const word = whole.toLowerCase().replaceAll(APOSTROPHES, '')
    tokens.push(toToken(word, parts.length > 0 ? 'whole' : 'word', 'en'))
  }
  return tokens
}

/**
 * Removes a possessive, and separates an elided article and an ending behind an apostrophe from the word. Other
 * apostrophes are dropped.
 */
function splitApostrophes(word: string, language: Language): string[] {
  if (!word.includes("'") && !word.includes('’')) return [word]
  const plain = word.replaceAll('’', "'").replace(OUTER_APOSTROPHES_AND_POSSESSIVE, '')
  if (LANGUAGES_WITH_APOSTROPHE_BEFORE_ENDING.has(language)) return plain.split("'").filter((part) => part !== '')
  const elided = ELISION.exec(plain)?.[0] ?? ''
  return [elided, plain.slice(elided.length)].map((part) => part.replaceAll("'", '')).filter((part) => part !== '')
}

function tokenizeHan(run: string): Token[] {
  const pairs = toGrams(run, 2)
  return pairs.length > 1 ? [...pairs, ...Array.from(run, (character) => toPlainToken(character, 'single'))] : pairs
}

function tokenizeHangul(run: string): Token[] {
  const pairs = toGrams(run, 2)
  return pairs.length > 2 ? [...pairs, toPlainToken(run.slice(0, MAX_TERM_LENGTH), 'whole')] : pairs
}

/** The n-grams of `size` characters, then the tails shorter than that. A run of fewer characters is one n-gram. */
function toGrams(run: string, size: number): Token[] {
  const characters = Array.from(run)
  const tokens: Token[] = []
  for (let at = 0; at + size <= characters.length; at++)
    tokens.push(toPlainToken(characters.slice(at, at + size).join(''), 'gram'))
  if (tokens.length === 0) tokens.push(toPlainToken(run, 'gram'))
  for (let rest = Math.min(size, characters.length) - 1; rest > 0; rest--)
    tokens.push(toPlainToken(characters.slice(-rest).join(''), 'tail'))
  return tokens
}

function toToken(word: string, kind: TokenKind, language: Language): Token {
  const bounded = word.slice(0, MAX_TERM_LENGTH)
  return { term: stem(bounded, language), surface: foldIn(bounded, language), kind }
}

/** A token that is a term as it stands. */
function toPlainToken(term: string, kind: TokenKind): Token {
  return { term, surface: term, kind }
}
