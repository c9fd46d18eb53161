import { passagesAround } from '../pieces.ts'
import type { ViewName } from '../verdict.ts'
import { decipher, readCodes } from './ciphers.ts'
import { readBase32, readBase64, readBinary, readEscapes, readHex, readNumbers, reverse } from './decode.ts'
import { countEnglish, looksLikeEnglish } from './english.ts'
import { findHiddenText, type HiddenText } from './hidden-text.ts'
import { ESCAPED, MARKUP } from './hints.ts'
import { joinSpacedLetters, joinSplitWords, joinStringLiterals, undoLeet } from './obfuscation.ts'
import { findTraits, type Traits } from './traits.ts'
import type { Source, View } from './views.ts'

/**
 * Points of each way of hiding text, in log-odds. Hidden prose is suspicious whatever it says; ways that formats use by
 * habit weigh less.
 */
const POINTS = {
  smuggled: 9,
  encoded: 4,
  escaped: 5,
  spaced: 5,
  fewSpaced: 2,
  leet: 4,
  fewLeet: 1,
  reversed: 5,
  cipher: 5,
  signs: 4,
  separated: 0,
  comment: 0.5,
  invisible: 4,
  title: 0,
}
const MAX_CHANCE_ESCAPES = 7
const MIN_SMUGGLED_LENGTH = 4
/** Maximum nesting: texts found inside a text are searched again up to this depth. */
const MAX_DEPTH = 2
/** Four words or more: an invisible element with fewer is a label. */
const HIDDEN_WORDS = /\s\S+\s+\S+\s/

/** A text that is found in another, and the points that hiding it adds. */
type Found = [name: ViewName, raw: string, points: number]

/**
 * What is encoded, hidden and disguised in a view. `isKnown`: whether most of its words are of a language that was
 * learned; ciphers are not tried on those.
 */
export function findSources(view: View, isKnown: boolean): Source[] {
  const { source, visible, smuggled, hints } = view
  const isSmuggled = smuggled.length >= MIN_SMUGGLED_LENGTH
  const sources = isSmuggled
    ? toSources([['smuggled characters', smuggled, POINTS.smuggled]], source.concealment, MAX_DEPTH)
    : []
  if (source.depth >= MAX_DEPTH) return sources
  const traits = findTraits(view.tokens)
  const hidden = [
    ...findEncoded(visible, traits),
    ...((hints & ESCAPED) === 0 ? [] : findEscaped(visible)),
    ...((hints & MARKUP) === 0 ? [] : findHidden(visible)),
  ]
  const disguised = findDisguised(view.tokens.text, traits)
  if (source.depth === 0) disguised.push(...findSpelled(visible, hints), ...(isKnown ? [] : findTransposed(view)))
  return [
    ...sources,
    ...toSources(hidden, source.concealment, source.depth + 1),
    ...toSources(disguised, view.concealment, MAX_DEPTH),
  ]
}

const toSources = (found: Found[], concealment: number, depth: number): Source[] =>
  found.map(([name, raw, points]) => ({ name, raw, concealment: concealment + points, depth }))

/** Numbers in a row that may be codes of characters. */
const MIN_CODES = 7
/** How every escape that is decoded begins. Few texts have that, which takes a tenth of the time to find. */
const MAY_BE_ESCAPE = /[%=\\&][#0-9a-zA-Z][0-9a-zA-Z{]/
const ESCAPES = /%[0-9a-fA-F]{2}|=[0-9A-F]{2}=|\\u\{?[0-9a-fA-F]|\\x[0-9a-fA-F]|&#|&(?:lt|gt|amp|quot|apos|nbsp);/g
const LEET = /[a-z][0134578@$!|]{1,3}[a-z]/g
/** UTF-16 units before and after an escape or a digit among letters that are read with it. */
const PASSAGE_MARGIN = 400

/** Base64, hexadecimal, binary and codes of characters. */
function findEncoded(raw: string, { numbers }: Traits): Found[] {
  const mayBeCodes = numbers >= MIN_CODES
  const decoded: [ViewName, string][] = [
    ['base64', readBase64(raw)],
    ['hexadecimal', mayBeCodes ? readHex(raw) : ''],
    ['binary', mayBeCodes ? readBinary(raw) : ''],
    ['base32', readBase32(raw)],
    ['character codes', mayBeCodes ? readNumbers(raw) : ''],
  ]
  return decoded
    .filter(([, text]) => text !== '')
    .map(([name, text]) => [name, text, isProse(text) ? POINTS.encoded : 0])
}

function findEscaped(raw: string): Found[] {
  if (!MAY_BE_ESCAPE.test(raw)) return []
  const escaped = passagesAround(raw, ESCAPES, PASSAGE_MARGIN)
  if (escaped === '') return []
  const { text, letters } = readEscapes(escaped)
  return text === escaped ? [] : [['escapes', text, letters > MAX_CHANCE_ESCAPES ? POINTS.escaped : 0]]
}

/** Tokens and settings are encoded JSON by habit; only prose is concealed. */
function isProse(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false
  return looksLikeEnglish(text.toLowerCase()) || /[^\p{Script=Latin}\p{Script=Common}]{3}/u.test(text)
}

const findHidden = (raw: string): Found[] =>
  findHiddenText(raw).map(({ carrier, text }) => [carrier, text, pointsOfCarrier(carrier, text)])

function pointsOfCarrier(carrier: HiddenText['carrier'], text: string): number {
  if (carrier === 'comment') return POINTS.comment
  if (carrier === 'title') return POINTS.title
  return HIDDEN_WORDS.test(text) ? POINTS.invisible : 0
}

/** Letters in a row that a text may be made of. */
const MIN_SINGLES = 4
const MIN_LEET = 2
const MIN_SPLIT_WORDS = 3

/** Words and letters set apart by something else than blanks, leetspeak and joined string literals. */
function findDisguised(text: string, { separated, split, singles, leet }: Traits): Found[] {
  const found: Found[] = []
  if (separated !== '') found.push(['separated words', separated, POINTS.separated])
  if (split >= MIN_SPLIT_WORDS) found.push(['separated words', joinSplitWords(text), POINTS.separated])
  if (singles >= MIN_SINGLES) {
    const joined = joinSpacedLetters(text)
    if (joined.words > 0)
      found.push(['spaced letters', joined.text, joined.words > 2 ? POINTS.spaced : POINTS.fewSpaced])
  }
  if (leet >= MIN_LEET) {
    const plain = undoLeet(passagesAround(text, LEET, PASSAGE_MARGIN))
    if (plain.words > 1) found.push(['leet', plain.text, plain.words > 3 ? POINTS.leet : POINTS.fewLeet])
  }
  if (isJoined(text)) found.push(['joined pieces', joinStringLiterals(text), 0])
  return found
}

/** Whether string literals are joined: `"a" + "b"`, `["a", "b"].join("")`. */
const isJoined = (text: string) =>
  text.includes('join(') || text.includes('concat') || (text.includes('+') && /["'`] ?\+ ?["'`]/.test(text))

/** Text spelled in signs that stand for letters. */
function findSpelled(raw: string, hints: number): Found[] {
  const plain = readCodes(raw, hints)
  return plain !== raw && looksLikeEnglish(plain.toLowerCase()) ? [['letter signs', plain, POINTS.signs]] : []
}

/** Reversed and enciphered text, only where the text as it stands has hardly any English. */
function findTransposed({ tokens: { text }, visible }: View): Found[] {
  const { known, all } = countEnglish(text)
  if (all < 4 || known > all * 0.15 || !isMostlyLatin(text)) return []
  const found: Found[] = []
  const reversed = reverse(text)
  if (looksLikeEnglish(reversed)) {
    found.push(
      ['reversed', reversed, POINTS.reversed],
      ['reversed', reversed.split(' ').reverse().join(' '), POINTS.reversed],
    )
  }
  const plain = decipher(visible)
  return plain === undefined ? found : [...found, ['cipher', plain, POINTS.cipher]]
}

/** Whether more than half of the letters are a to z. */
function isMostlyLatin(text: string): boolean {
  return 2 * text.replace(/[^a-z]+/g, '').length > text.replace(/\P{L}+/gu, '').length
}
