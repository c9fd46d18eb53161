import type { QueryTerm } from './query/parse-query.ts'

/** A query term and its weight in this index. */
export type WeightedTerm = QueryTerm & { weight: number }

/** Assumed document frequency of a stop word; the real one is not looked up, because the lists are too long. */
const STOP_WORD_FREQUENCY = 1 / 8

/**
 * The term with its weight: its share, times the inverse document frequency of a term that `matching` of `records`
 * records hold.
 */
export function toWeightedTerm(term: QueryTerm, matching: number, records: number): WeightedTerm {
  return { ...term, weight: term.share * idf(term.use === 'weak' ? records * STOP_WORD_FREQUENCY : matching, records) }
}

/**
 * Inverse document frequency as in BM25 (Robertson and Zaragoza 2009), plus 1 inside the logarithm so that it is never
 * negative.
 */
export function idf(matching: number, records: number): number {
  const all = Math.max(records, matching)
  return Math.log(1 + (all - matching + 0.5) / (matching + 0.5))
}
