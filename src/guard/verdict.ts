import type { Family } from './rules/rules.ts'

/** How a view of a text is made: as written, decoded, found in a hiding place, or without a disguise. */
export type ViewName =
  | 'as written'
  | 'base64'
  | 'hexadecimal'
  | 'binary'
  | 'escapes'
  | 'cipher'
  | 'base32'
  | 'character codes'
  | 'letter signs'
  | 'separated words'
  | 'reversed'
  | 'spaced letters'
  | 'leet'
  | 'joined pieces'
  | 'comment'
  | 'invisible style'
  | 'title'
  | 'smuggled characters'

/**
 * Why a text is refused or marked: what it does, in words for its author, and the words of the text that say so; none
 * where the wording as a whole does.
 */
export type Reason = { family: Family; rule: string; says: string; words: string }

/**
 * The judgement of one text: `refused` where the guard is sure, `marked` where the text reads like an instruction and a
 * person should look, else `clean`. `reasons`: at most three, the weightiest first; none of a clean text. `family` is
 * the family of the first reason. `points` are log-odds, `score` is the probability that they mean, 0.5 where a text is
 * refused for its wording. All of these belong to `view`, the view of the text with the most points.
 */
export type Verdict = {
  verdict: 'refused' | 'marked' | 'clean'
  reasons: Reason[]
  family: Family | undefined
  view: ViewName
  points: number
  score: number
}
