import { normalize } from '../../text/normalize.ts'
import { type Tokens, tokenize } from '../scan/tokens.ts'
import type { ViewName } from '../verdict.ts'
import { hintsOf, LOOKALIKE, NOT_ASCII, UNUSUAL, UNUSUAL_CHARACTERS } from './hints.ts'
import { replaceHomoglyphs } from './homoglyphs.ts'
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
