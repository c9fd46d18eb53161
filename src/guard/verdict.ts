import type { Family } from './rules/rules.ts'

/** How a text was read: as it stands, or decoded or taken out of a hiding place. */
export type ViewName =
  | 'as written'
  | 'base64'
  | 'hexadecimal'
  | 'binary'
  | 'escapes'
  | 'rot13'
  | 'reversed'
  | 'spaced letters'
  | 'leet'
  | 'joined pieces'
  | 'comment'
  | 'invisible style'
  | 'title'
  | 'smuggled characters'

/** What spoke for a rejection: a rule that matched and the words it matched, and its part of the score. */
export type Sign = { family: Family; rule: string; words: string; described: boolean; points: number }

/**
 * The guard's judgement of one text. `score` lies between 0 and 1 and is rejected from 0.5; `points` are the same on an open scale,
 * rejected above 0, and are the sum of `classifier`, `reporting`, `concealment`, `base` and the points of the signs. All but `rejected` speak of `view`, the most suspicious reading.
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
