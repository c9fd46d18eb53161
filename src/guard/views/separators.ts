import { isEnglish } from './english.ts'

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
  const costs = [0]
  const starts = [0]
  for (let end = 1; end <= text.length; end++) {
    costs[end] = (costs[end - 1] ?? 0) + LETTER_COST
    starts[end] = end - 1
    for (let start = Math.max(0, end - MAX_WORD_LENGTH); start < end - 1; start++) {
      const cost = (costs[start] ?? 0) + (end - start < 3 ? SHORT_WORD_COST : WORD_COST)
      if (cost < (costs[end] ?? 0) && isEnglish(text.slice(start, end))) {
        costs[end] = cost
        starts[end] = start
      }
    }
  }
  return joinPieces(text, starts)
}

/** The words that `starts` tells for each end, with the letters between them joined. */
function joinPieces(text: string, starts: number[]): string | undefined {
  const pieces: string[] = []
  let known = 0
  for (let end = text.length; end > 0; end = starts[end] ?? 0) {
    const start = starts[end] ?? 0
    if (end - start > 1) known += end - start
    pieces.unshift(end - start > 1 ? ` ${text.slice(start, end)} ` : text.slice(start, end))
  }
  return known < text.length * MIN_KNOWN_SHARE ? undefined : pieces.join('').replace(/ {2,}/g, ' ').trim()
}
