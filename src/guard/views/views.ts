import { normalize } from '../../text/normalize.ts'
import { type Tokens, tokenize } from '../scan/tokens.ts'
import type { ViewName } from '../verdict.ts'
import { replaceHomoglyphs } from './homoglyphs.ts'
import { strip, type Traces } from './strip.ts'

/** A text that a view is made of, with the points of the texts that it was found in. */
export type Source = { name: ViewName; raw: string; concealment: number; depth: number }

/**
 * A text as a reader or an assistant may read it: its tokens in lower case, the text without what shows nothing, what was smuggled in that, and the points that its
 * concealment adds.
 */
export type View = { source: Source; tokens: Tokens; visible: string; smuggled: string; concealment: number }

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
/** Characters that show nothing or are another form of a letter. */
const UNUSUAL =
  /\u034f|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2460-\u24ff\u3164\ufb00-\ufb06\ufeff\uff00-\uffef\ud835\udb40]|\ud83c[\udd10-\uddff]/

const NOT_ASCII = /[^\0-\x7f]/

type Plain = { visible: string; lower: string; points: number; smuggled: string }

/** A text without characters that show nothing, the same in lower case with plain letters, the points of what was found, and text smuggled in it. */
export function toPlain(raw: string): Plain {
  if (!NOT_ASCII.test(raw)) return { visible: raw, lower: raw.toLowerCase(), points: 0, smuggled: '' }
  const isUnusual = UNUSUAL.test(raw)
  const { text: visible, traces } = isUnusual ? strip(raw) : { text: raw, traces: NO_TRACES }
  const lower = (isUnusual ? normalize(visible, 'NFKC') : visible).toLowerCase()
  const { text, replaced } = MIXED.test(lower) ? replaceHomoglyphs(lower) : { text: lower, replaced: 0 }
  return { visible, lower: text, points: pointsOf(traces, replaced), smuggled: traces.smuggled }
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
