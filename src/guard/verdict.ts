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

/** Evidence for a rejection: a rule that matched, the words that it matched, whether they are only described, and its points. */
export type Sign = { family: Family; rule: string; words: string; described: boolean; points: number }

/**
 * The judgement of one text. `score` is a probability, and the text is rejected above 0.5. `points` are its log-odds, rejected above 0: the sum of `base`,
 * `classifier`, `reporting`, `concealment` and the points of the signs. All of these belong to `view`, the view of the text with the most points.
 */
export type Verdict = {
  rejected: boolean
  score: number
  points: number
  family: Family | undefined
  reason: string
  view: ViewName
  base: number
  classifier: number
  reporting: number
  concealment: number
  signs: Sign[]
}
