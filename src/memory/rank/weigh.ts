import type { Term, Weighed } from './term.ts'

/** Inverse document frequency as in BM25, never negative: what it says about a record to hold a term that `holders` of `records` hold. */
export function rarity(holders: number, records: number): number {
  const all = Math.max(records, holders)
  return Math.log(1 + (all - holders + 0.5) / (holders + 0.5))
}

/** Function words are not looked up, they are too many: each counts as a word that one record in eight holds. */
const WEAK_HOLD = 1 / 8

/** What a match of the term is worth. */
export function weigh(term: Term, holders: number, records: number): Weighed {
  return { ...term, weight: term.share * rarity(term.use === 'weak' ? records * WEAK_HOLD : holders, records) }
}
