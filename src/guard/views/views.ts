import type { Steps } from '../../cooperative.ts'
import { canonicalizeInSteps } from '../canonical.ts'
import { countInSteps, matchInSteps } from '../pieces.ts'
import type { ViewName } from '../verdict.ts'
import { decipher } from './ciphers.ts'
import { readCodes } from './codes.ts'
import { readBase32, readBase64, readBinary, readEscapes, readHex, readNumbers, reverse } from './decode.ts'
import { countEnglish, hasWords, looksLikeEnglish } from './english.ts'
import { findHiddenText, type HiddenText } from './hidden-text.ts'
import { replaceHomoglyphsInSteps } from './homoglyphs.ts'
import { joinSpacedLetters, joinStringLiterals, undoLeet } from './obfuscation.ts'
import { separateWords } from './separators.ts'
import { stripInSteps, type Traces } from './strip.ts'

/** A text as a reader or an assistant may read it, in canonical spelling, and the points that its concealment adds. */
export type View = { name: ViewName; text: string; concealment: number }

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

/**
 * The views of the first MAX_INSPECTED_LENGTH units of a text: as written, then what is encoded, hidden and disguised in it, each searched again. At most
 * about fifty.
 */
export function* toViews(text: string): Steps<[View, ...View[]]> {
  const views: View[] = []
  yield* addViews({ name: 'as written', raw: text.slice(0, MAX_INSPECTED_LENGTH), concealment: 0, depth: 0 }, views)
  return views as [View, ...View[]]
}

function* addViews({ name, raw, concealment, depth }: Source, views: View[]): Steps<void> {
  if (views.length >= MAX_VIEWS) return
  yield
  const { text: visible, traces } = yield* stripInSteps(raw)
  yield
  const canonical = yield* canonicalizeInSteps(visible)
  yield
  const { text, replaced } = yield* replaceHomoglyphsInSteps(canonical)
  const view = { name, text, concealment: concealment + pointsOf(traces, replaced) }
  views.push(view)
  if (traces.smuggled.length >= MIN_SMUGGLED_LENGTH) {
    const smuggled = concealment + CONCEALMENT_POINTS.smuggled
    yield* addViews({ name: 'smuggled characters', raw: traces.smuggled, concealment: smuggled, depth: MAX_DEPTH }, views)
  }
  if (depth >= MAX_DEPTH) return
  const source = { name, raw: visible, concealment, depth }
  yield* addEncoded(source, views)
  yield* addHidden(source, views)
  yield* addRespelled(source, views)
  yield* addDisguised(view, visible, depth, views)
}

function pointsOf({ split, styled, bidi }: Traces, homoglyphs: number): number {
  return Math.max(
    split > MAX_CHANCE_SPLITS ? CONCEALMENT_POINTS.split : 0,
    styled > MAX_CHANCE_STYLED ? CONCEALMENT_POINTS.styled : 0,
    bidi > 0 ? CONCEALMENT_POINTS.bidi : 0,
    homoglyphs > MAX_CHANCE_HOMOGLYPHS ? CONCEALMENT_POINTS.homoglyphs : 0,
  )
}

/** Base64, hexadecimal, binary and escapes. The patterns find out cheaply whether there is any. */
function* addEncoded({ raw, concealment, depth }: Source, views: View[]): Steps<void> {
  yield
  const decoded: [ViewName, string][] = [
    ['base64', /[A-Za-z0-9+/_-]{16}/.test(raw) ? yield* readBase64(raw) : ''],
    ['hexadecimal', /(?:[0-9a-fA-F]{2}[ ,:]?|[\\0]x[0-9a-fA-F]{2}[ ,]?){10}/.test(raw) ? yield* readHex(raw) : ''],
    ['binary', /[01]{8} ?[01]{8}/.test(raw) ? yield* readBinary(raw) : ''],
    ['base32', /[A-Z2-7]{24}/.test(raw) ? yield* readBase32(raw) : ''],
    ['character codes', /(?:\d{2,3}[ ,;]{1,2}){8}|(?:\\[0-7]{2,3}){8}/.test(raw) ? yield* readNumbers(raw) : ''],
  ]
  for (const [name, text] of decoded) {
    if (text === '') continue
    const points = (yield* isProse(text)) ? CONCEALMENT_POINTS.encoded : 0
    yield* addViews({ name, raw: text, concealment: concealment + points, depth: depth + 1 }, views)
  }
  if (!/[%&\\=]/.test(raw)) return
  yield
  const { text, letters } = yield* readEscapes(raw)
  const points = letters > MAX_CHANCE_ESCAPES ? CONCEALMENT_POINTS.escaped : 0
  if (text !== raw) yield* addViews({ name: 'escapes', raw: text, concealment: concealment + points, depth: depth + 1 }, views)
}

/** Tokens and settings are encoded JSON by habit; only prose is concealed. */
function* isProse(text: string): Steps<boolean> {
  if (/^\s*[[{]/.test(text)) return false
  return looksLikeEnglish(yield* canonicalizeInSteps(text)) || /[^\p{Script=Latin}\p{Script=Common}]{3}/u.test(text)
}

function* addHidden({ raw, concealment, depth }: Source, views: View[]): Steps<void> {
  if (!/[<\]]/.test(raw)) return
  for (const { carrier, text } of yield* findHiddenText(raw)) {
    if (views.length >= MAX_VIEWS) return
    const points = yield* pointsOfCarrier(carrier, text)
    yield* addViews({ name: carrier, raw: text, concealment: concealment + points, depth: depth + 1 }, views)
  }
}

function* pointsOfCarrier(carrier: HiddenText['carrier'], text: string): Steps<number> {
  if (carrier === 'comment') return CONCEALMENT_POINTS.comment
  if (carrier === 'title') return CONCEALMENT_POINTS.title
  return (yield* hasWords(text, MIN_HIDDEN_WORDS)) ? CONCEALMENT_POINTS.invisible : 0
}

/** Text in signs that stand for letters, and words that are not set apart by blanks. */
function* addRespelled({ raw, concealment, depth }: Source, views: View[]): Steps<void> {
  if (depth > 0) return
  yield
  const plain = yield* readCodes(raw)
  if (plain !== raw && looksLikeEnglish(plain)) {
    yield* addViews({ name: 'letter signs', raw: plain, concealment: concealment + CONCEALMENT_POINTS.signs, depth: MAX_DEPTH }, views)
  }
  yield
  const { text, runs } = yield* separateWords(raw)
  if (runs > 0) {
    yield* addViews(
      { name: 'separated words', raw: text, concealment: concealment + CONCEALMENT_POINTS.separated, depth: MAX_DEPTH },
      views,
    )
  }
}

/** Spaced letters, leetspeak and joined string literals; in a text as written also reversed and enciphered text. */
function* addDisguised({ text, concealment }: View, raw: string, depth: number, views: View[]): Steps<void> {
  const add = (name: ViewName, plain: string, points: number) => views.push({ name, text: plain, concealment: concealment + points })
  yield
  const joined = yield* joinSpacedLetters(text)
  if (joined.words > 0) add('spaced letters', joined.text, joined.words > 2 ? CONCEALMENT_POINTS.spaced : CONCEALMENT_POINTS.fewSpaced)
  yield
  if (/[a-z][0134578@$!|]|[0134578@$!|][a-z]/.test(text)) {
    const plain = yield* undoLeet(text)
    if (plain.words > 1) add('leet', plain.text, plain.words > 3 ? CONCEALMENT_POINTS.leet : CONCEALMENT_POINTS.fewLeet)
  }
  yield
  if (/["'`] ?\+ ?["'`]|join\(|concat/.test(text)) add('joined pieces', yield* joinStringLiterals(text), 0)
  if (depth === 0) yield* addTransposed(text, raw, add)
}

/** Reversed and enciphered text, only where the text as it stands has hardly any English. */
function* addTransposed(text: string, raw: string, add: (name: ViewName, plain: string, points: number) => void): Steps<void> {
  const { known, all } = countEnglish(text)
  if (all < 4 || known > all * 0.15 || !(yield* isMostlyLatin(text))) return
  const reversed = yield* reverse(text)
  if (looksLikeEnglish(reversed)) {
    add('reversed', reversed, CONCEALMENT_POINTS.reversed)
    add('reversed', reversed.split(' ').reverse().join(' '), CONCEALMENT_POINTS.reversed)
  }
  const plain = yield* decipher(raw)
  if (plain !== undefined) add('cipher', yield* canonicalizeInSteps(plain), CONCEALMENT_POINTS.cipher)
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
