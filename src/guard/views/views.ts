import { isAscii } from '../../text/ascii.ts'
import { normalize } from '../../text/normalize.ts'
import { passagesAround } from '../pieces.ts'
import { type Tokens, tokenize } from '../scan/tokens.ts'
import type { ViewName } from '../verdict.ts'
import { decipher } from './ciphers.ts'
import { readCodes } from './codes.ts'
import { readBase32, readBase64, readBinary, readEscapes, readHex, readNumbers, reverse } from './decode.ts'
import { countEnglish, looksLikeEnglish } from './english.ts'
import { findHiddenText, type HiddenText } from './hidden-text.ts'
import { replaceHomoglyphs } from './homoglyphs.ts'
import { joinSpacedLetters, joinStringLiterals, undoLeet } from './obfuscation.ts'
import { joinSplitWords } from './separators.ts'
import { strip, type Traces } from './strip.ts'
import { findTraits, type Traits } from './traits.ts'

/** A text that a view is made of, with the points of the texts that it was found in. */
export type Source = { name: ViewName; raw: string; concealment: number; depth: number }

/**
 * A text as a reader or an assistant may read it: its tokens in lower case, the text without what shows nothing, what was smuggled in that, and the points that its
 * concealment adds.
 */
export type View = { source: Source; tokens: Tokens; visible: string; smuggled: string; concealment: number }

/** Points of each way of hiding text, in log-odds. Hidden prose is suspicious whatever it says; ways that formats use by habit weigh less. */
const CONCEALMENT_POINTS = {
  smuggled: 9,
  split: 5,
  styled: 5,
  homoglyphs: 5,
  bidi: 3,
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
/** Counts above which traces are concealment and not chance. */
const MAX_CHANCE_SPLITS = 2
const MAX_CHANCE_STYLED = 7
const MAX_CHANCE_HOMOGLYPHS = 1
const MAX_CHANCE_ESCAPES = 7
const MIN_SMUGGLED_LENGTH = 4
/** Maximum nesting: texts found inside a text are searched again up to this depth. */
const MAX_DEPTH = 2
/** Four words or more: an invisible element with fewer is a label. */
const HIDDEN_WORDS = /\s\S+\s+\S+\s/

/** The view of a source. */
export function toView(source: Source): View {
  const { visible, lower, points, smuggled } = toPlain(source.raw)
  return { source, tokens: tokenize(lower), visible, smuggled, concealment: source.concealment + points }
}

/** A letter beside one of another script that looks like a letter of the first. */
const MIXED = /[a-z][\u0370-\u058f\u0250-\u02af\u1d00-\u1d7f]|[\u0370-\u058f\u0250-\u02af\u1d00-\u1d7f][a-z]/
/** Characters that show nothing or are another form of a letter. */
const UNUSUAL =
  /\u034f|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2460-\u24ff\u3164\ufb00-\ufb06\ufeff\uff00-\uffef\ud835\udb40]|\ud83c[\udd10-\uddff]/

type Plain = { visible: string; lower: string; points: number; smuggled: string }

/** A text without characters that show nothing, the same in lower case with plain letters, the points of what was found, and text smuggled in it. */
export function toPlain(raw: string): Plain {
  if (isAscii(raw)) return { visible: raw, lower: raw.toLowerCase(), points: 0, smuggled: '' }
  const isUnusual = UNUSUAL.test(raw)
  const { text: visible, traces } = isUnusual ? strip(raw) : { text: raw, traces: NO_TRACES }
  const lower = (isUnusual ? normalize(visible, 'NFKC') : visible).toLowerCase()
  const { text, replaced } = MIXED.test(lower) ? replaceHomoglyphs(lower) : { text: lower, replaced: 0 }
  return { visible, lower: text, points: pointsOf(traces, replaced), smuggled: traces.smuggled }
}

const NO_TRACES: Traces = { split: 0, bidi: 0, styled: 0, smuggled: '' }

function pointsOf({ split, styled, bidi }: Traces, homoglyphs: number): number {
  return Math.max(
    split > MAX_CHANCE_SPLITS ? CONCEALMENT_POINTS.split : 0,
    styled > MAX_CHANCE_STYLED ? CONCEALMENT_POINTS.styled : 0,
    bidi > 0 ? CONCEALMENT_POINTS.bidi : 0,
    homoglyphs > MAX_CHANCE_HOMOGLYPHS ? CONCEALMENT_POINTS.homoglyphs : 0,
  )
}

/** A text that is found in another, and the points that hiding it adds. */
type Found = [name: ViewName, raw: string, points: number]

/** What is encoded, hidden and disguised in a view. `isKnown`: whether most of its words are of a language that was learned; ciphers are not tried on those. */
export function findSources(view: View, isKnown: boolean): Source[] {
  const { source, visible, smuggled } = view
  const to = (concealment: number, depth: number) => (found: Found) => ({ name: found[0], raw: found[1], concealment: concealment + found[2], depth })
  const isSmuggled = smuggled.length >= MIN_SMUGGLED_LENGTH
  const hidden: Found[] = isSmuggled ? [['smuggled characters', smuggled, CONCEALMENT_POINTS.smuggled]] : []
  const sources = hidden.map(to(source.concealment, MAX_DEPTH))
  if (source.depth >= MAX_DEPTH) return sources
  const traits = findTraits(view.tokens)
  sources.push(...[...findEncoded(visible, traits), ...findHidden(visible)].map(to(source.concealment, source.depth + 1)))
  const disguised = findDisguised(view.tokens.text, traits)
  if (source.depth === 0) disguised.push(...findSigns(visible), ...(isKnown ? [] : findTransposed(view)))
  return [...sources, ...disguised.map(to(view.concealment, MAX_DEPTH))]
}

/** Numbers in a row that may be codes of characters. */
const MIN_CODES = 7
const ESCAPE = /%[0-9a-fA-F]{2}|=[0-9A-F]{2}=|\\u\{?[0-9a-fA-F]|\\x[0-9a-fA-F]|&#|&(?:lt|gt|amp|quot|apos|nbsp);/g
const LEET = /[a-z][0134578@$!|]{1,3}[a-z]/g
/** UTF-16 units before and after an escape or a digit among letters that are read with it. */
const PASSAGE_MARGIN = 400

/** Base64, hexadecimal, binary and escapes. The patterns find out cheaply whether there is any. */
function findEncoded(raw: string, { numbers }: Traits): Found[] {
  const mayBeCodes = numbers >= MIN_CODES
  const decoded: [ViewName, string][] = [
    ['base64', readBase64(raw)],
    ['hexadecimal', mayBeCodes ? readHex(raw) : ''],
    ['binary', mayBeCodes ? readBinary(raw) : ''],
    ['base32', readBase32(raw)],
    ['character codes', mayBeCodes ? readNumbers(raw) : ''],
  ]
  const found = decoded
    .filter(([, text]) => text !== '')
    .map(([name, text]): Found => [name, text, isProse(text) ? CONCEALMENT_POINTS.encoded : 0])
  const escaped = passagesAround(raw, ESCAPE, PASSAGE_MARGIN)
  if (escaped === '') return found
  const { text, letters } = readEscapes(escaped)
  return text === escaped ? found : [...found, ['escapes', text, letters > MAX_CHANCE_ESCAPES ? CONCEALMENT_POINTS.escaped : 0]]
}

/** Tokens and settings are encoded JSON by habit; only prose is concealed. */
function isProse(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false
  return looksLikeEnglish(text.toLowerCase()) || /[^\p{Script=Latin}\p{Script=Common}]{3}/u.test(text)
}

const findHidden = (raw: string): Found[] =>
  /[<\]]/.test(raw) ? findHiddenText(raw).map(({ carrier, text }) => [carrier, text, pointsOfCarrier(carrier, text)]) : []

function pointsOfCarrier(carrier: HiddenText['carrier'], text: string): number {
  if (carrier === 'comment') return CONCEALMENT_POINTS.comment
  if (carrier === 'title') return CONCEALMENT_POINTS.title
  return HIDDEN_WORDS.test(text) ? CONCEALMENT_POINTS.invisible : 0
}

/** Letters in a row of which a text may be made. */
const MIN_SINGLES = 4
const MIN_LEET = 2
const MIN_SPLIT_WORDS = 3

/** Words and letters set apart by something else than blanks, leetspeak and joined string literals. */
function findDisguised(text: string, { separated, split, singles, leet }: Traits): Found[] {
  const found: Found[] = []
  if (separated !== '') found.push(['separated words', separated, CONCEALMENT_POINTS.separated])
  if (split >= MIN_SPLIT_WORDS) found.push(['separated words', joinSplitWords(text), CONCEALMENT_POINTS.separated])
  if (singles >= MIN_SINGLES) {
    const joined = joinSpacedLetters(text)
    if (joined.words > 0)
      found.push(['spaced letters', joined.text, joined.words > 2 ? CONCEALMENT_POINTS.spaced : CONCEALMENT_POINTS.fewSpaced])
  }
  if (leet >= MIN_LEET) {
    const plain = undoLeet(passagesAround(text, LEET, PASSAGE_MARGIN))
    if (plain.words > 1) found.push(['leet', plain.text, plain.words > 3 ? CONCEALMENT_POINTS.leet : CONCEALMENT_POINTS.fewLeet])
  }
  if (/["'`] ?\+ ?["'`]|join\(|concat/.test(text)) found.push(['joined pieces', joinStringLiterals(text), 0])
  return found
}

/** Text spelled in signs that stand for letters. */
function findSigns(raw: string): Found[] {
  const plain = readCodes(raw)
  return plain !== raw && looksLikeEnglish(plain.toLowerCase()) ? [['letter signs', plain, CONCEALMENT_POINTS.signs]] : []
}

/** Reversed and enciphered text, only where the text as it stands has hardly any English. */
function findTransposed({ tokens: { text }, visible }: View): Found[] {
  const { known, all } = countEnglish(text)
  if (all < 4 || known > all * 0.15 || !isMostlyLatin(text)) return []
  const found: Found[] = []
  const reversed = reverse(text)
  if (looksLikeEnglish(reversed)) {
    found.push(
      ['reversed', reversed, CONCEALMENT_POINTS.reversed],
      ['reversed', reversed.split(' ').reverse().join(' '), CONCEALMENT_POINTS.reversed],
    )
  }
  const plain = decipher(visible)
  return plain === undefined ? found : [...found, ['cipher', plain, CONCEALMENT_POINTS.cipher]]
}

/** Whether more than half of the letters are a to z. */
function isMostlyLatin(text: string): boolean {
  const latin = text.match(/[a-z]/g)?.length ?? 0
  return latin * 2 > (text.match(/\p{L}/gu)?.length ?? 0)
}
