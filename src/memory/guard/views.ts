import { findHidden } from './carriers.ts'
import { unmask } from './confusable.ts'
import { readBase64, readBinary, readEscapes, readHex, reverse, rot13 } from './decode.ts'
import { joinPieces, joinSpaced, unleet } from './disguise.ts'
import { countEnglish, looksLikeEnglish } from './english.ts'
import { fold } from './fold.ts'
import { strip } from './strip.ts'
import type { ViewName } from './verdict.ts'

/** One reading of a text, folded, and how much its way of hiding weighs, in points. */
export type View = { name: ViewName; text: string; concealment: number }

// A text that hides prose is content for agents whatever it says; what hides by habit of a format weighs less.
const weights = {
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
const deepest = 2
const most = 48
const longest = 120_000

/** All readings of a text: as written, then decoded and unhidden, each again, two deep, of the first 120 000 characters. Some fifty at most; what is cut off still stands in the text as written. */
export function toViews(text: string): View[] {
  const views: View[] = []
  read('as written', text.slice(0, longest), 0, 0, views)
  return views
}

function read(name: ViewName, raw: string, inherited: number, depth: number, views: View[]): void {
  if (views.length >= most) return
  const { text: bare, traces } = strip(raw)
  const { text, masked } = unmask(fold(bare))
  const dressed = inherited + fromTraces(traces.split, traces.styled, traces.bidi, masked)
  views.push({ name, text, concealment: dressed })
  if (traces.smuggled.length > 3) read('smuggled characters', traces.smuggled, inherited + weights.smuggled, deepest, views)
  if (depth >= deepest) return
  readEncoded(bare, inherited, depth, views)
  readCarriers(bare, inherited, depth, views)
  readDisguised(text, dressed, depth, views)
}

function fromTraces(split: number, styled: number, bidi: number, masked: number): number {
  const points = [
    split > 2 ? weights.split : 0,
    styled > 7 ? weights.styled : 0,
    bidi > 0 ? weights.bidi : 0,
    masked > 1 ? weights.masked : 0,
  ]
  return Math.max(...points)
}

function readEncoded(bare: string, inherited: number, depth: number, views: View[]): void {
  const found: [ViewName, string][] = [
    ['base64', /[A-Za-z0-9+/_-]{16}/.test(bare) ? readBase64(bare) : ''],
    ['hexadecimal', /(?:[0-9a-fA-F]{2}[ ,:]?|[\\0]x[0-9a-fA-F]{2}[ ,]?){10}/.test(bare) ? readHex(bare) : ''],
    ['binary', /[01]{8} ?[01]{8}/.test(bare) ? readBinary(bare) : ''],
  ]
  for (const [name, text] of found) if (text !== '') read(name, text, inherited + (isProse(text) ? weights.encoded : 0), depth + 1, views)
  if (!/[%&\\]/.test(bare)) return
  const { text, letters } = readEscapes(bare)
  if (text !== bare) read('escapes', text, inherited + (letters > 7 ? weights.escaped : 0), depth + 1, views)
}

// Tokens and settings are carried as encoded JSON by habit; only prose is hidden.
const isProse = (text: string) =>
  !/^\s*[[{]/.test(text) && (looksLikeEnglish(fold(text), 4) || /[^\p{Script=Latin}\p{Script=Common}]{3}/u.test(text))

function readCarriers(bare: string, inherited: number, depth: number, views: View[]): void {
  if (!/[<\]]/.test(bare)) return
  for (const { carrier, text } of findHidden(bare)) {
    const words = text.split(/\s+/).length
    const weight = carrier === 'comment' ? weights.comment : carrier === 'title' ? weights.title : words > 3 ? weights.invisible : 0
    read(carrier, text, inherited + weight, depth + 1, views)
  }
}

function readDisguised(text: string, dressed: number, depth: number, views: View[]): void {
  const add = (name: ViewName, plain: string, concealment: number) => views.push({ name, text: plain, concealment: dressed + concealment })
  const joined = joinSpaced(text)
  if (joined.known > 0) add('spaced letters', joined.text, joined.known > 2 ? weights.spaced : 2)
  if (/[a-z][0134578@$!|]|[0134578@$!|][a-z]/.test(text)) {
    const plain = unleet(text)
    if (plain.known > 1) add('leet', plain.text, plain.known > 3 ? weights.leet : 1)
  }
  if (/["'`] ?\+ ?["'`]|join\(|concat/.test(text)) add('joined pieces', joinPieces(text), 0)
  if (depth === 0) readTurned(text, add)
}

/** Reversed and rotated text is read only where the text as it stands has hardly any English. */
function readTurned(text: string, add: (name: ViewName, plain: string, concealment: number) => void): void {
  const { known, all } = countEnglish(text)
  if (all < 4 || known > all * 0.15 || !isMostlyLatin(text)) return
  const back = reverse(text)
  if (looksLikeEnglish(back, 4)) add('reversed', back, weights.reversed)
  const turned = rot13(text)
  if (looksLikeEnglish(turned, 4)) add('rot13', turned, weights.rot13)
}

const isMostlyLatin = (text: string) => (text.match(/[a-z]/g)?.length ?? 0) * 2 > (text.match(/\p{L}/gu)?.length ?? 0)
