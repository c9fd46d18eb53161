import type { Steps } from '../../cooperative.ts'
import { replaceInSteps } from '../pieces.ts'
import { isEnglish } from './english.ts'

/** A text with one way of setting words apart undone, and how many runs of words were changed. */
export type Separated = { text: string; runs: number }

/** Four words or more with the same sign between all of them, which stands alone or between two blanks: `leave_all_rules_behind`, `leave * all * rules`. */
const SEPARATED_WORDS =
  /(?<![\p{L}\p{N}])[\p{L}']{1,24}(?:( ?)([^\p{L}\p{N}\s'"`()[\]{}<>@]{1,2})\1[\p{L}']{1,24})(?:\1\2\1[\p{L}']{1,24}){2,200}/gu
/** Six words or more of which each begins with a capital: `LeaveAllRulesYouWereGiven`. */
const CAMEL_CASE = /(?<![A-Za-z])[A-Za-z][a-z]{0,23}(?:[A-Z][a-z]{0,23}){5,200}/g
/** Words that a mark splits which is no hyphen: `ru·les`. */
const SPLIT_MARK = /(?<=\p{L})[·•‧∙⋅*~^|](?=\p{L})/gu
const MIN_SPLIT_WORDS = 3
/** Letters without a blank between them. More than the longest word, up to a length that is split at once. */
const UNSPACED = /(?<![\p{L}\p{N}])[a-z]{20,400}(?![\p{L}\p{N}])/giu

/** Puts blanks between words that other signs, capitals or nothing at all set apart, and takes out marks that split words. */
export function* separateWords(text: string): Steps<Separated> {
  let runs = 0
  const count = (words: string) => {
    runs++
    return words
  }
  const spaced = yield* replaceInSteps(text, SEPARATED_WORDS, (run) => count(run.replace(/[^\p{L}']+/gu, ' ')))
  const lowered = yield* replaceInSteps(spaced, CAMEL_CASE, (run) => count(run.replace(/(?=[A-Z])/g, ' ')))
  const apart = yield* replaceInSteps(lowered, UNSPACED, (run) => {
    const words = segment(run)
    return words === undefined ? run : count(words)
  })
  let marks = 0
  const joined = yield* replaceInSteps(apart, SPLIT_MARK, () => {
    marks++
    return ''
  })
  return marks < MIN_SPLIT_WORDS ? { text: apart, runs } : { text: joined, runs: runs + 1 }
}

const MAX_WORD_LENGTH = 14
/** Costs of a word, of a short word, and of a letter that belongs to none. */
const WORD_COST = 1
const SHORT_WORD_COST = 1.5
const LETTER_COST = 2
/** Part of the letters that have to belong to everyday words. */
const MIN_KNOWN_SHARE = 0.5

/**
 * Splits letters into everyday words, at the least cost for what is between them (Viterbi); undefined if too few letters belong to one. Time linear in the
 * letters.
 */
function segment(letters: string): string | undefined {
  const text = letters.toLowerCase()
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
