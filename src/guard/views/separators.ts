import { endsOfEnglish } from './english.ts'

/** Words that a mark splits which is no hyphen: `ru·les`. */
const SPLIT_MARK = /(?<=\p{L})[·•‧∙⋅*~^|](?=\p{L})/gu

/** Takes out marks that split words. */
export const joinSplitWords = (text: string): string => text.replace(SPLIT_MARK, '')

const MAX_WORD_LENGTH = 14
/** Costs of a word, of a short word, and of a letter that belongs to none. */
const WORD_COST = 1
const SHORT_WORD_COST = 1.5
const LETTER_COST = 2
/** Part of the letters that have to belong to everyday words. */
const MIN_KNOWN_SHARE = 0.5

/**
 * Splits lower-case letters into everyday words, at the least cost for what is between them (Viterbi); undefined if too
 * few letters belong to one. Time linear in the letters.
 */
export function segment(text: string): string | undefined {
  const costs = new Float64Array(text.length + 1).fill(Number.POSITIVE_INFINITY, 1)
  const starts = new Int32Array(text.length + 1)
  const reach = (end: number, start: number, cost: number) => {
    costs[end] = cost
    starts[end] = start
  }
  for (let start = 0; start < text.length; start++) {
    const cost = costs[start] ?? 0
    for (const end of endsOfEnglish(text, start, start + MAX_WORD_LENGTH)) {
      const withWord = cost + (end - start < 3 ? SHORT_WORD_COST : WORD_COST)
      if (withWord < (costs[end] ?? 0)) reach(end, start, withWord)
    }
    if (cost + LETTER_COST <= (costs[start + 1] ?? 0)) reach(start + 1, start, cost + LETTER_COST)
  }
  return joinPieces(text, starts)
}

/** The words that `starts` tells for each end, with the letters between them joined. */
function joinPieces(text: string, starts: Int32Array): string | undefined {
  const pieces: string[] = []
  let known = 0
  for (let end = text.length; end > 0; end = starts[end] ?? 0) {
    const start = starts[end] ?? 0
    if (end - start > 1) known += end - start
    pieces.unshift(end - start > 1 ? ` ${text.slice(start, end)} ` : text.slice(start, end))
  }
  return known < text.length * MIN_KNOWN_SHARE ? undefined : pieces.join('').replace(/ {2,}/g, ' ').trim()
}
