import type { WeightedTerm } from './query-term.ts'
import type { TermScores } from './scorer.ts'

/**
 * Relevance in (0, 1): how much of the question's weight a match carries, the same scale for every question and project.
 * Half the weight gives 0.5, all of it 0.75; repeated words, short texts and the very form asked for bring it nearer to 1.
 */
export function toScore(worth: number, terms: WeightedTerm[]): number {
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  return whole > 0 ? 1 - 4 ** (-worth / whole) : 0
}

/** What a match is worth in all. */
export function sumOf(match: TermScores): number {
  let sum = 0
  for (let term = 0; term < match.length; term++) sum += match[term] ?? 0
  return sum
}
