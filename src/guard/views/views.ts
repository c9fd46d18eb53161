import { normalize } from '../../text/normalize.ts'
import { type Tokens, tokenize } from '../scan/tokens.ts'
import type { ViewName } from '../verdict.ts'
import { isEnglish } from './english.ts'
import { hintsOf, LOOKALIKE, NOT_ASCII, UNUSUAL, UNUSUAL_CHARACTERS } from './hints.ts'
import { strip, type Traces } from './strip.ts'

/** A text that a view is made of, with the points of the texts that it was found in. */
export type Source = { name: ViewName; raw: string; concealment: number; depth: number }

/**
 * A text as a reader or an assistant may read it: its tokens in lower case, the text without what shows nothing, what
 * was smuggled in that, what its characters hint at, and the points that its concealment adds.
 */
export type View = {
  source: Source
  tokens: Tokens
  visible: string
  smuggled: string
  hints: number
  concealment: number
}

/** Points of characters that show nothing or look like others, in log-odds. */
const POINTS = { split: 5, styled: 5, homoglyphs: 5, bidi: 3 }
/** Counts above which they are concealment and not chance. */
const MAX_CHANCE_SPLITS = 2
const MAX_CHANCE_STYLED = 7
const MAX_CHANCE_HOMOGLYPHS = 1

/** The view of a source. */
export function toView(source: Source): View {
  const { lower, points, ...plain } = toPlain(source.raw)
  return { source, tokens: tokenize(lower), ...plain, concealment: source.concealment + points }
}

/** A letter beside one of another script that looks like a letter of the first. */
const MIXED = /[a-z][\u0370-\u058f\u0250-\u02af\u1d00-\u1d7f]|[\u0370-\u058f\u0250-\u02af\u1d00-\u1d7f][a-z]/
type Plain = { visible: string; lower: string; points: number; smuggled: string; hints: number }

/**
 * A text without characters that show nothing, the same in lower case with plain letters, the points of what was found,
 * and text smuggled in it.
 */
export function toPlain(raw: string): Plain {
  const hints = hintsOf(raw)
  if ((hints & NOT_ASCII) === 0) return { visible: raw, lower: raw.toLowerCase(), points: 0, smuggled: '', hints }
  const isUnusual = (hints & UNUSUAL) !== 0 && UNUSUAL_CHARACTERS.test(raw)
  const { text: visible, traces } = isUnusual ? strip(raw, hints) : { text: raw, traces: NO_TRACES }
  const lower = (isUnusual ? normalize(visible, 'NFKC') : visible).toLowerCase()
  const mayBeMixed = isUnusual || (hints & LOOKALIKE) !== 0
  const { text, replaced } = mayBeMixed && MIXED.test(lower) ? replaceHomoglyphs(lower) : { text: lower, replaced: 0 }
  return { visible, lower: text, points: pointsOf(traces, replaced), smuggled: traces.smuggled, hints }
}

const NO_TRACES: Traces = { split: 0, bidi: 0, styled: 0, smuggled: '' }

function pointsOf({ split, styled, bidi }: Traces, homoglyphs: number): number {
  return Math.max(
    split > MAX_CHANCE_SPLITS ? POINTS.split : 0,
    styled > MAX_CHANCE_STYLED ? POINTS.styled : 0,
    bidi > 0 ? POINTS.bidi : 0,
    homoglyphs > MAX_CHANCE_HOMOGLYPHS ? POINTS.homoglyphs : 0,
  )
}

/**
 * Letters of other scripts that look like a Latin one, each with that one, in lower case. Chosen from the confusables
 * of UTS #39.
 */
const PAIRS =
  'аa вb сc ԁd еe һh нh іi ӏl јj кk ԛq ѕs мm оo рp тt ԝw хx уy ѵv пn гr ոn սu օo հh ցg ԍg ɡg ɑa զq քp ѐe οo αa νv ρp τt υu χx κk ιi εe ηn ωw γy յj ʀr ɴn ɪi ʟl ʏy ꜱs ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz'
const LATIN_BY_HOMOGLYPH = new Map(PAIRS.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)]))
/** A word that begins with Latin letters or none and has a homoglyph after them. */
const WITH_HOMOGLYPH = new RegExp(`(?<!\\p{L})[a-z]*[${[...LATIN_BY_HOMOGLYPH.keys()].join('')}]\\p{L}*`, 'gu')
const LATIN = /[a-z]/

/**
 * Lengths from which on a word is disguised if it is everyday English, or if it has two homoglyphs. Units and terms of
 * science have one in a short word.
 */
const MIN_ENGLISH_LENGTH = 3
const MIN_UNKNOWN_LENGTH = 6

type Replaced = { text: string; replaced: number }

/**
 * Replaces homoglyphs in a lower-case text: in words that mix them with Latin letters and, if there is one, in words of
 * homoglyphs alone. `replaced` counts the former.
 */
function replaceHomoglyphs(text: string): Replaced {
  let replaced = 0
  const unmixed = text.replace(WITH_HOMOGLYPH, (word) => {
    if (!LATIN.test(word)) return word
    const latin = toLatin(word)
    if (latin === undefined || !isDisguise(word, latin)) return word
    replaced++
    return latin
  })
  if (replaced === 0) return { text, replaced }
  return { text: unmixed.replace(/\p{L}+/gu, (word) => toLatin(word) ?? word), replaced }
}

/** The word with its homoglyphs as Latin letters; undefined if another letter is not Latin. */
function toLatin(word: string): string | undefined {
  let latin = ''
  for (const letter of word) {
    const replacement = letter >= 'a' && letter <= 'z' ? letter : LATIN_BY_HOMOGLYPH.get(letter)
    if (replacement === undefined) return undefined
    latin += replacement
  }
  return latin
}

function isDisguise(word: string, latin: string): boolean {
  return (
    (latin.length >= MIN_ENGLISH_LENGTH && isEnglish(latin)) ||
    (latin.length >= MIN_UNKNOWN_LENGTH && hasTwoHomoglyphs(word))
  )
}

function hasTwoHomoglyphs(word: string): boolean {
  let homoglyphs = 0
  for (const letter of word) if (LATIN_BY_HOMOGLYPH.has(letter) && ++homoglyphs > 1) return true
  return false
}
