import type { Steps } from '../../cooperative.ts'
import { normalizeInSteps } from '../../text/normalize.ts'
import { countInSteps, lowerInSteps, matchInSteps, passagesAround } from '../pieces.ts'
import { type Tokens, tokenize } from '../scan/tokens.ts'
import type { ViewName } from '../verdict.ts'
import { decipher } from './ciphers.ts'
import { readCodes } from './codes.ts'
import { readBase32, readBase64, readBinary, readEscapes, readHex, readNumbers, reverse } from './decode.ts'
import { countEnglish, hasWords, looksLikeEnglish } from './english.ts'
import { findHiddenText, type HiddenText } from './hidden-text.ts'
import { replaceHomoglyphsInSteps } from './homoglyphs.ts'
import { joinSpacedLetters, joinStringLiterals, undoLeet } from './obfuscation.ts'
import { joinSplitWords } from './separators.ts'
import { stripInSteps, type Traces } from './strip.ts'
import { findTraits, type Traits } from './traits.ts'

/** A text as a reader or an assistant may read it, in lower case, its tokens, and the points that its concealment adds. */
export type View = { name: ViewName; tokens: Tokens; concealment: number }

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
const MIN_HIDDEN_WORDS = 4
/** Maximum nesting: texts found inside a text are searched again up to this depth. */
const MAX_DEPTH = 2
const MAX_VIEWS = 48
/** UTF-16 units of a text that are inspected. */
export const MAX_INSPECTED_LENGTH = 120_000

/** A text that a view is made of, with the concealment of the texts that it was found in. */
type Source = { name: ViewName; raw: string; concealment: number; depth: number }

/** Whether most words of a text are of a language that was learned. Ciphers are not tried on those. */
type IsKnown = (tokens: Tokens) => boolean

/**
 * The views of the first MAX_INSPECTED_LENGTH units of a text: as written, then what is encoded, hidden and disguised in it, each searched again. At most
 * about fifty.
 */
export function* toViews(text: string, isKnown: IsKnown): Steps<[View, ...View[]]> {
  const views: View[] = []
  yield* addViews({ name: 'as written', raw: text.slice(0, MAX_INSPECTED_LENGTH), concealment: 0, depth: 0 }, views, isKnown)
  return views as [View, ...View[]]
}

function* addViews({ name, raw, concealment, depth }: Source, views: View[], isKnown: IsKnown): Steps<void> {
  if (views.length >= MAX_VIEWS) return
  yield
  const { visible, lower, points, smuggled } = yield* toPlain(raw)
  yield
  const view = { name, tokens: yield* tokenize(lower), concealment: concealment + points }
  views.push(view)
  if (smuggled.length >= MIN_SMUGGLED_LENGTH) {
    const source: Source = {
      name: 'smuggled characters',
      raw: smuggled,
      concealment: concealment + CONCEALMENT_POINTS.smuggled,
      depth: MAX_DEPTH,
    }
    yield* addViews(source, views, isKnown)
  }
  if (depth >= MAX_DEPTH) return
  yield
  const traits = findTraits(view.tokens)
  const source = { name, raw: visible, concealment, depth }
  yield* addEncoded(source, traits, views, isKnown)
  yield* addHidden(source, views, isKnown)
  yield* addDisguised(view, visible, depth, traits, views, isKnown)
}

/** A letter beside one of another script that looks like a letter of the first. */
const MIXED = /[a-z][\u0370-\u058f\u0250-\u02af\u1d00-\u1d7f]|[\u0370-\u058f\u0250-\u02af\u1d00-\u1d7f][a-z]/
/** Characters that show nothing or are another form of a letter. */
const UNUSUAL =
  /\u034f|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2460-\u24ff\u3164\ufb00-\ufb06\ufeff\uff00-\uffef\ud835\udb40]|\ud83c[\udd10-\uddff]/

/** A text without characters that show nothing, the same in lower case with plain letters, the points of what was found, and text smuggled in it. */
export function* toPlain(raw: string): Steps<{ visible: string; lower: string; points: number; smuggled: string }> {
  const isUnusual = UNUSUAL.test(raw)
  const { text: visible, traces } = isUnusual ? yield* stripInSteps(raw) : { text: raw, traces: NO_TRACES }
  const lower = yield* lowerInSteps(isUnusual ? yield* normalizeInSteps(visible, 'NFKC') : visible)
  const { text, replaced } = MIXED.test(lower) ? yield* replaceHomoglyphsInSteps(lower) : { text: lower, replaced: 0 }
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

/** Numbers in a row that may be codes of characters. */
const MIN_CODES = 7
const ESCAPE = /%[0-9a-fA-F]{2}|=[0-9A-F]{2}=|\\u\{?[0-9a-fA-F]|\\x[0-9a-fA-F]|&#|&(?:lt|gt|amp|quot|apos|nbsp);/g
const LEET = /[a-z][0134578@$!|]{1,3}[a-z]/g
/** UTF-16 units before and after an escape or a digit among letters that are read with it. */
const PASSAGE_MARGIN = 400

/** Base64, hexadecimal, binary and escapes. The patterns find out cheaply whether there is any. */
function* addEncoded({ raw, concealment, depth }: Source, { numbers }: Traits, views: View[], isKnown: IsKnown): Steps<void> {
  yield
  const mayBeCodes = numbers >= MIN_CODES
  const decoded: [ViewName, string][] = [
    ['base64', /[A-Za-z0-9+/_-]{16}/.test(raw) ? yield* readBase64(raw) : ''],
    ['hexadecimal', mayBeCodes ? yield* readHex(raw) : ''],
    ['binary', mayBeCodes && /[01]{8} ?[01]{8}/.test(raw) ? yield* readBinary(raw) : ''],
    ['base32', /[A-Z2-7]{24}/.test(raw) ? yield* readBase32(raw) : ''],
    ['character codes', mayBeCodes ? yield* readNumbers(raw) : ''],
  ]
  for (const [name, text] of decoded) {
    if (text === '') continue
    const points = isProse(text) ? CONCEALMENT_POINTS.encoded : 0
    yield* addViews({ name, raw: text, concealment: concealment + points, depth: depth + 1 }, views, isKnown)
  }
  yield
  const escaped = yield* passagesAround(raw, ESCAPE, PASSAGE_MARGIN)
  const { text, letters } = yield* readEscapes(escaped)
  const points = letters > MAX_CHANCE_ESCAPES ? CONCEALMENT_POINTS.escaped : 0
  if (text !== escaped) yield* addViews({ name: 'escapes', raw: text, concealment: concealment + points, depth: depth + 1 }, views, isKnown)
}

/** Tokens and settings are encoded JSON by habit; only prose is concealed. */
function isProse(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false
  return looksLikeEnglish(text.toLowerCase()) || /[^\p{Script=Latin}\p{Script=Common}]{3}/u.test(text)
}

function* addHidden({ raw, concealment, depth }: Source, views: View[], isKnown: IsKnown): Steps<void> {
  if (!/[<\]]/.test(raw)) return
  for (const { carrier, text } of yield* findHiddenText(raw)) {
    if (views.length >= MAX_VIEWS) return
    const points = yield* pointsOfCarrier(carrier, text)
    yield* addViews({ name: carrier, raw: text, concealment: concealment + points, depth: depth + 1 }, views, isKnown)
  }
}

function* pointsOfCarrier(carrier: HiddenText['carrier'], text: string): Steps<number> {
  if (carrier === 'comment') return CONCEALMENT_POINTS.comment
  if (carrier === 'title') return CONCEALMENT_POINTS.title
  return (yield* hasWords(text, MIN_HIDDEN_WORDS)) ? CONCEALMENT_POINTS.invisible : 0
}

/** Letters in a row of which a text may be made. */
const MIN_SINGLES = 4
const MIN_LEET = 2
const MIN_SPLIT_WORDS = 3

/** Words and letters set apart by something else than blanks, leetspeak and joined string literals; in a text as written also signs that stand for letters, reversed and enciphered text. */
function* addDisguised(view: View, raw: string, depth: number, traits: Traits, views: View[], isKnown: IsKnown): Steps<void> {
  const { text } = view.tokens
  const found: [ViewName, string, number][] = []
  yield
  if (traits.separated !== '') found.push(['separated words', traits.separated, CONCEALMENT_POINTS.separated])
  if (traits.split >= MIN_SPLIT_WORDS) found.push(['separated words', yield* joinSplitWords(text), CONCEALMENT_POINTS.separated])
  if (traits.singles >= MIN_SINGLES) {
    const joined = yield* joinSpacedLetters(text)
    if (joined.words > 0)
      found.push(['spaced letters', joined.text, joined.words > 2 ? CONCEALMENT_POINTS.spaced : CONCEALMENT_POINTS.fewSpaced])
  }
  if (traits.leet >= MIN_LEET) {
    const plain = yield* undoLeet(yield* passagesAround(text, LEET, PASSAGE_MARGIN))
    if (plain.words > 1) found.push(['leet', plain.text, plain.words > 3 ? CONCEALMENT_POINTS.leet : CONCEALMENT_POINTS.fewLeet])
  }
  yield
  if (/["'`] ?\+ ?["'`]|join\(|concat/.test(text)) found.push(['joined pieces', yield* joinStringLiterals(text), 0])
  if (depth === 0) found.push(...(yield* findSigns(raw)), ...(yield* findTransposed(view, raw, isKnown)))
  for (const [name, plain, points] of found) {
    yield* addViews({ name, raw: plain, concealment: view.concealment + points, depth: MAX_DEPTH }, views, isKnown)
  }
}

/** Text spelled in signs that stand for letters. */
function* findSigns(raw: string): Steps<[ViewName, string, number][]> {
  const plain = yield* readCodes(raw)
  return plain !== raw && looksLikeEnglish(plain.toLowerCase()) ? [['letter signs', plain, CONCEALMENT_POINTS.signs]] : []
}

/** Reversed and enciphered text, only where the text as it stands has hardly any words that are known. */
function* findTransposed({ tokens }: View, raw: string, isKnown: IsKnown): Steps<[ViewName, string, number][]> {
  const { known, all } = countEnglish(tokens.text)
  if (all < 4 || known > all * 0.15 || isKnown(tokens) || !(yield* isMostlyLatin(tokens.text))) return []
  const found: [ViewName, string, number][] = []
  const reversed = yield* reverse(tokens.text)
  if (looksLikeEnglish(reversed)) {
    found.push(
      ['reversed', reversed, CONCEALMENT_POINTS.reversed],
      ['reversed', reversed.split(' ').reverse().join(' '), CONCEALMENT_POINTS.reversed],
    )
  }
  const plain = yield* decipher(raw)
  if (plain !== undefined) found.push(['cipher', plain, CONCEALMENT_POINTS.cipher])
  return found
}

/** Whether more than half of the letters are a to z. */
function* isMostlyLatin(text: string): Steps<boolean> {
  const latin = yield* countInSteps(text, (code) => code >= 97 && code <= 122)
  let letters = 0
  for (const match of matchInSteps(text, /\p{L}/gu)) {
    if (match === undefined) yield
    else letters++
  }
  return latin * 2 > letters
}
