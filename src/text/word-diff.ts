import { diffWordsWithSpace } from 'diff'

/** A run of words that both texts have, or one of them. */
export type DiffPart = { kind: 'same' | 'removed' | 'added'; text: string }

/** Beyond either, no diff is made: finding the shortest one takes time quadratic in its length, and one that is longer says little. */
const MAX_EDITS = 1_000
const MAX_DIFF_MS = 8

/** What makes one text into another, word by word; undefined where they have too little in common. Takes at most some 8 ms beside the splitting of the texts. */
export function diffWords(before: string, after: string): DiffPart[] | undefined {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS, timeout: MAX_DIFF_MS })
  return changes?.map(({ added, removed, value }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text: value }))
}
