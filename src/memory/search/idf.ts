import type { QueryTerm, WeightedTerm } from './query-term.ts'

/** Inverse document frequency as in BM25, never negative: what it says about a record to hold a term that `holders` of `records` hold. */
export function idf(holders: number, records: number): number {
  const all = Math.max(records, holders)
  return Math.log(1 + (all - holders + 0.5) / (holders + 0.5))
}

/** Function words are not looked up, they are too many: each counts as a word that one record in eight holds. */
const WEAK_HOLD = 1 / 8

/** What a match of the term is worth. */
export function toWeightedTerm(term: QueryTerm, holders: number, records: number): WeightedTerm {
  return { ...term, weight: term.share * idf(term.use === 'weak' ? records * WEAK_HOLD : holders, records) }
}
