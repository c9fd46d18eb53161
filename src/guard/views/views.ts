import type { Steps } from '../../cooperative.ts'
import { canonicalizeInSteps } from '../canonical.ts'
import { countInSteps, matchInSteps } from '../pieces.ts'
import type { ViewName } from '../verdict.ts'
import { readBase64, readBinary, readEscapes, readHex, reverse, rot13 } from './decode.ts'
import { countEnglish, looksLikeEnglish } from './english.ts'
import { findHiddenText, type HiddenText } from './hidden-text.ts'
import { replaceHomoglyphsInSteps } from './homoglyphs.ts'
import { joinSpacedLetters, joinStringLiterals, undoLeet } from './obfuscation.ts'
import { stripInSteps } from './strip.ts'

/** One reading of a text, folded, and how much its way of hiding weighs, in points. */
export type View = { name: ViewName; text: string; concealment: number }

// A text that hides prose is content for agents whatever it says; what hides by habit of a format weighs less.
const CONCEALMENT_POINTS = {
  smuggled: 9,
  split: 5,
  styled: 5,
  masked: 5,
  bidi: 3,
  encoded: 4,
  escaped: 5,
  spaced: 5,
  leet: 4,
  reversed: 5,
  rot13: 5,
  comment: 0.5,
  invisible: 4,
  title: 0,
}
const MAX_DEPTH = 2
const MAX_VIEWS = 48
/** UTF-16 units of a text that are read. */
export const MAX_INSPECTED_LENGTH = 120_000

/** All readings of a text: as written, then decoded and unhidden, each again, two deep, of the first 120 000 characters. Some fifty at most; what is cut off still stands in the text as written. */
export function* toViews(text: string): Steps<[View, ...View[]]> {
  const views: View[] = []
  yield* read('as written', text.slice(0, MAX_INSPECTED_LENGTH), 0, 0, views)
  return views as [View, ...View[]]
}

function* read(name: ViewName, raw: string, inherited: number, depth: number, views: View[]): Steps<void> {
  if (views.length >= MAX_VIEWS) return
  yield
  const { text: bare, traces } = yield* stripInSteps(raw)
  yield
  const folded = yield* canonicalizeInSteps(bare)
  yield
  const { text, masked } = yield* replaceHomoglyphsInSteps(folded)
  const dressed = inherited + fromTraces(traces.split, traces.styled, traces.bidi, masked)
  views.push({ name, text, concealment: dressed })
  if (traces.smuggled.length > 3)
    yield* read('smuggled characters', traces.smuggled, inherited + CONCEALMENT_POINTS.smuggled, MAX_DEPTH, views)
  if (depth >= MAX_DEPTH) return
  yield* readEncoded(bare, inherited, depth, views)
  yield* readCarriers(bare, inherited, depth, views)
  yield* readDisguised(text, dressed, depth, views)
}

function fromTraces(split: number, styled: number, bidi: number, masked: number): number {
  const points = [
    split > 2 ? CONCEALMENT_POINTS.split : 0,
    styled > 7 ? CONCEALMENT_POINTS.styled : 0,
    bidi > 0 ? CONCEALMENT_POINTS.bidi : 0,
    masked > 1 ? CONCEALMENT_POINTS.masked : 0,
  ]
  return Math.max(...points)
}

function* readEncoded(bare: string, inherited: number, depth: number, views: View[]): Steps<void> {
  yield
  const found: [ViewName, string][] = [
    ['base64', /[A-Za-z0-9+/_-]{16}/.test(bare) ? yield* readBase64(bare) : ''],
    ['hexadecimal', /(?:[0-9a-fA-F]{2}[ ,:]?|[\\0]x[0-9a-fA-F]{2}[ ,]?){10}/.test(bare) ? yield* readHex(bare) : ''],
    ['binary', /[01]{8} ?[01]{8}/.test(bare) ? yield* readBinary(bare) : ''],
  ]
  for (const [name, text] of found) {
    if (text === '') continue
    const weight = (yield* isProse(text)) ? CONCEALMENT_POINTS.encoded : 0
    yield* read(name, text, inherited + weight, depth + 1, views)
  }
  if (!/[%&\\]/.test(bare)) return
  yield
  const { text, letters } = yield* readEscapes(bare)
  if (text !== bare) yield* read('escapes', text, inherited + (letters > 7 ? CONCEALMENT_POINTS.escaped : 0), depth + 1, views)
}

// Tokens and settings are carried as encoded JSON by habit; only prose is hidden.
function* isProse(text: string): Steps<boolean> {
  if (/^\s*[[{]/.test(text)) return false
  return looksLikeEnglish(yield* canonicalizeInSteps(text), 4) || /[^\p{Script=Latin}\p{Script=Common}]{3}/u.test(text)
}

function* readCarriers(bare: string, inherited: number, depth: number, views: View[]): Steps<void> {
  if (!/[<\]]/.test(bare)) return
  for (const { carrier, text } of yield* findHiddenText(bare)) {
    if (views.length >= MAX_VIEWS) return
    yield* read(carrier, text, inherited + (yield* weigh(carrier, text)), depth + 1, views)
  }
}

function* weigh(carrier: HiddenText['carrier'], text: string): Steps<number> {
  if (carrier === 'comment') return CONCEALMENT_POINTS.comment
  if (carrier === 'title') return CONCEALMENT_POINTS.title
  return (yield* hasWords(text, 4)) ? CONCEALMENT_POINTS.invisible : 0
}

/** Whether blanks part a text into at least so many pieces. */
function* hasWords(text: string, least: number): Steps<boolean> {
  let pieces = 1
  for (const match of matchInSteps(text, /\s+/g)) {
    if (match === undefined) yield
    else if (++pieces >= least) return true
  }
  return false
}

function* readDisguised(text: string, dressed: number, depth: number, views: View[]): Steps<void> {
  const add = (name: ViewName, plain: string, concealment: number) => views.push({ name, text: plain, concealment: dressed + concealment })
  yield
  const joined = yield* joinSpacedLetters(text)
  if (joined.known > 0) add('spaced letters', joined.text, joined.known > 2 ? CONCEALMENT_POINTS.spaced : 2)
  yield
  if (/[a-z][0134578@$!|]|[0134578@$!|][a-z]/.test(text)) {
    const plain = yield* undoLeet(text)
    if (plain.known > 1) add('leet', plain.text, plain.known > 3 ? CONCEALMENT_POINTS.leet : 1)
  }
  yield
  if (/["'`] ?\+ ?["'`]|join\(|concat/.test(text)) add('joined pieces', yield* joinStringLiterals(text), 0)
  if (depth === 0) yield* readTurned(text, add)
}

/** Reversed and rotated text is read only where the text as it stands has hardly any English. */
function* readTurned(text: string, add: (name: ViewName, plain: string, concealment: number) => void): Steps<void> {
  const { known, all } = countEnglish(text)
  if (all < 4 || known > all * 0.15 || !(yield* isMostlyLatin(text))) return
  const back = yield* reverse(text)
  if (looksLikeEnglish(back, 4)) add('reversed', back, CONCEALMENT_POINTS.reversed)
  const turned = yield* rot13(text)
  if (looksLikeEnglish(turned, 4)) add('rot13', turned, CONCEALMENT_POINTS.rot13)
}

function* isMostlyLatin(text: string): Steps<boolean> {
  const latin = yield* countInSteps(text, (code) => code >= 97 && code <= 122)
  let letters = 0
  for (const match of matchInSteps(text, /\p{L}/gu)) {
    if (match === undefined) yield
    else letters++
  }
  return latin * 2 > letters
}
