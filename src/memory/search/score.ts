import { DAY_MS } from '../../clock.ts'
import type { RecordHead } from '../../store/record.ts'
import { FIELD_BREAK, formOf, termBits, termOf } from '../../text/token-codes.ts'
import type { TokenizedRecord } from './index/search-index.ts'
import type { QueryPostings } from './postings.ts'
import { isJoinedForm } from './query/parse-query.ts'
import type { WeightedTerm } from './weigh-term.ts'
import {
  AGREEMENT_SHARE,
  ALSO_SHARE,
  B,
  EARLY_BONUS,
  EARLY_WORDS,
  EXPECTED_SHARE,
  K1,
  MAX_COVERED,
  NEWNESS_HALVED_MS,
  NEWNESS_SHARE,
  ODDS_POWER,
  PHRASE_SHARE,
  SAME_FORM_BONUS,
  STALE_FACTOR,
} from './weights.ts'

/** The score of each term of a query in one record, in the order of the terms; 0 if the record does not hold it. */
export type TermScores = Float64Array

/** Size of the table that rules out most tokens of a record by some bits of their hash. */
const PREFILTER_SIZE = 1 << 9

/**
 * Returns a function that scores a record for a query by BM25 (Robertson and Zaragoza 2009) with two bonuses; a term
 * that the phrases of a record hold scores at least `PHRASE_SHARE` of a match. `averageLength` is the average over the
 * index's records, in words. Scoring takes time linear in the length of the record.
 */
export function createScorer(terms: WeightedTerm[], averageLength: number): (record: TokenizedRecord) => TermScores {
  const byHash = groupByHash(terms)
  const prefilter = new Uint8Array(PREFILTER_SIZE)
  for (const hash of byHash.keys()) prefilter[hash % PREFILTER_SIZE] = 1
  const weights = Float64Array.from(terms.map(({ weight }) => weight))
  const frequency = new Uint32Array(terms.length)
  const firstAt = new Uint32Array(terms.length)
  const hasSameForm = new Uint8Array(terms.length)
  const isInPhrase = new Uint8Array(terms.length)

  function countTerms(codes: Uint32Array): void {
    frequency.fill(0)
    hasSameForm.fill(0)
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at] ?? 0
      const hash = termOf(code)
      if (prefilter[hash % PREFILTER_SIZE] === 0) continue
      for (const term of byHash.get(hash) ?? []) {
        const before = frequency[term] ?? 0
        if (before === 0) firstAt[term] = at
        frequency[term] = before + 1
        if (terms[term]?.form === formOf(code)) hasSameForm[term] = 1
      }
    }
  }

  function notePhrases(codes: Uint32Array): void {
    isInPhrase.fill(0)
    for (const code of codes) for (const term of byHash.get(termOf(code)) ?? []) isInPhrase[term] = 1
  }

  return (record) => {
    const end = record.codes.indexOf(FIELD_BREAK)
    countTerms(end < 0 ? record.codes : record.codes.subarray(0, end))
    notePhrases(end < 0 ? NONE : record.codes.subarray(end))
    const norm = K1 * (1 - B + (B * record.length) / averageLength)
    const scores = new Float64Array(terms.length)
    for (let term = 0; term < scores.length; term++) {
      const tf = frequency[term] ?? 0
      const early = 1 + EARLY_BONUS * Math.max(0, 1 - (firstAt[term] ?? 0) / EARLY_WORDS)
      const own = tf === 0 ? 0 : ((tf * (K1 + 1)) / (tf + norm) + SAME_FORM_BONUS * (hasSameForm[term] ?? 0)) * early
      scores[term] = (weights[term] ?? 0) * Math.max(own, PHRASE_SHARE * (isInPhrase[term] ?? 0))
    }
    return scores
  }
}

const NONE = new Uint32Array()

/** Maps the hash of each index term to the positions of the query terms that it matches. */
function groupByHash(terms: WeightedTerm[]): Map<number, number[]> {
  const byHash = new Map<number, number[]>()
  for (let term = 0; term < terms.length; term++) {
    for (const indexTerm of terms[term]?.indexTerms ?? []) {
      const hash = termBits(indexTerm)
      const known = byHash.get(hash)
      if (known === undefined) byHash.set(hash, [term])
      else known.push(term)
    }
  }
  return byHash
}

/** The sum of the weights of the terms of a wording: the score of one match of each. */
export const wholeWeight = (terms: WeightedTerm[], wording: number) =>
  terms.reduce(
    (total, { weight, wordings, isEnding }) => (wordings.includes(wording) && !isEnding ? total + weight : total),
    0,
  )

/**
 * Returns a function that computes, of a record's term scores, the share of each wording that the record holds: 1 for
 * one match of each of its terms. Other wordings than the query count `ALSO_SHARE`. The array is valid until the next
 * call.
 */
export function createSharesOf(terms: WeightedTerm[]): (scores: TermScores) => Float64Array {
  const count = 1 + Math.max(0, ...terms.flatMap(({ wordings }) => wordings))
  const factors = Float64Array.from(
    { length: count },
    (_, wording) => (wording === 0 ? 1 : ALSO_SHARE) / (wholeWeight(terms, wording) || 1),
  )
  const shares = new Float64Array(count)
  return (scores) => {
    shares.fill(0)
    for (let term = 0; term < scores.length; term++) {
      const score = scores[term] ?? 0
      if (score === 0) continue
      for (const wording of terms[term]?.wordings ?? [])
        shares[wording] = (shares[wording] ?? 0) + score * (factors[wording] ?? 0)
    }
    return shares
  }
}

/**
 * The share of what is sought that a record holds: between the share of its best wording and what all together make.
 * `others` is how many wordings beside the query find anything; the sum of all is divided by more for each of them,
 * since a record that only one of several guesses finds is less likely the sought one.
 */
export function combineShares(shares: Float64Array, others: number): number {
  let best = 0
  let all = 0
  for (const share of shares) {
    all += share
    if (share > best) best = share
  }
  return best + AGREEMENT_SHARE * (all / (1 + EXPECTED_SHARE * others) - best)
}

/** How many wordings beside the query have a term that a record holds. */
export function countOthers({ terms, lists }: Pick<QueryPostings, 'terms' | 'lists'>): number {
  const found = new Set(terms.filter((_, at) => (lists[at]?.seqs.length ?? 0) > 0).flatMap(({ wordings }) => wordings))
  found.delete(0)
  return found.size
}

/**
 * The factor from 1 to `MAX_NEWNESS` on the share of a record, by its last save: 1 + 0.02 / (1 + age / 30 days). Ages
 * are taken at the end of the day, so that the pages of an answer fit together.
 */
export function newnessOf(
  { createdAt, refreshedAt }: Pick<RecordHead, 'createdAt' | 'refreshedAt'>,
  now: number,
): number {
  const age = Math.max(0, Math.ceil(now / DAY_MS) * DAY_MS - (refreshedAt ?? createdAt))
  return 1 + NEWNESS_SHARE / (1 + age / NEWNESS_HALVED_MS)
}
export const MAX_NEWNESS = 1 + NEWNESS_SHARE

/** What counts beside what a record holds of what is sought. */
export type Circumstances = { newness: number; isStale: boolean }

/** What records are ranked by, in (0, 1): 1 − 4^(−share × newness), half of that for a stale one. */
export const toRank = (share: number, { newness, isStale }: Circumstances) =>
  (1 - 4 ** -(share * newness)) * (isStale ? STALE_FACTOR : 1)

/**
 * Returns a function that bounds the scores of the terms in a record to `MAX_COVERED` matches each, since repeating one
 * word answers no other. The joined form of a compound stands for all of its terms.
 */
export function createCover(terms: WeightedTerm[]): (scores: TermScores) => TermScores {
  const wholes = Map.groupBy(terms, ({ compound }) => compound)
  const limits = terms.map((term) => {
    const matched = isJoinedForm(term) ? (wholes.get(term.compound) ?? []) : [term]
    return MAX_COVERED * matched.reduce((total, { weight }) => total + weight, 0)
  })
  return (scores) => scores.map((score, at) => Math.min(score, limits[at] ?? 0))
}

/**
 * The score in (0, 1) of a record that covers this share of what is sought, on the same scale for every query and
 * project. Its odds, score / (1 − score), are (2 × share)⁴ × newness: 0.5 for half of the query's weight. Half of that
 * for a stale record.
 */
export function toScore(covered: number, { newness, isStale }: Circumstances): number {
  const odds = (2 * covered) ** ODDS_POWER * newness
  return (odds / (1 + odds)) * (isStale ? STALE_FACTOR : 1)
}
