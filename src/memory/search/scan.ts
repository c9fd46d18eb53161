import { yieldIfDue } from '../../cooperative.ts'
import { termBits, termOf } from '../../text/token-codes.ts'
import type { TokenizedRecord } from './scorer.ts'
import type { SearchIndex } from './search-index.ts'

/** Up to so many records are looked through themselves, where they are no more than such a share of the project: */
const MAX_SCANNED_RECORDS = 1_024
/** the index would walk through every record that holds a word, to leave out nearly all of them. */
const MAX_SCANNED_SHARE = 0.125
/** Words that they may have together: looking through them takes half a millisecond. */
const MAX_WORDS = 1 << 17

/** Whether so few of a project's records may be seen. */
export function isScannable(seen: { records: number; length: number }, all: number): boolean {
  return seen.records > 0 && seen.records <= MAX_SCANNED_RECORDS && seen.length <= MAX_WORDS && seen.records <= all * MAX_SCANNED_SHARE
}

/** Who holds which words, found by looking through the records that may be seen; `read` gives them newest first, and is asked once. */
export function createScanner(read: () => Promise<Map<number, TokenizedRecord>>): SearchIndex['postings'] {
  let reading: Promise<Map<number, TokenizedRecord>> | undefined
  return async (groups, beside) => {
    reading ??= read()
    const docs = await reading
    const due = yieldIfDue()
    if (due !== undefined) await due
    const others = beside && new Set(beside.map(termBits))
    const byTerm = toGroups(groups)
    const likely = toSieve(byTerm.keys())
    const holders: number[][] = groups.map(() => [])
    for (const [seq, { codes }] of docs) {
      if (others === undefined || holdsAny(codes, others)) note(holders, byTerm, likely, seq, codes)
    }
    return holders.map((seqs) => Uint32Array.from(seqs))
  }
}

/** For each term the groups it is in. */
function toGroups(groups: string[][]): Map<number, number[]> {
  const byTerm = new Map<number, number[]>()
  groups.forEach((terms, group) => {
    for (const term of terms) byTerm.set(termBits(term), [...(byTerm.get(termBits(term)) ?? []), group])
  })
  return byTerm
}

/** Low bits of a term that say whether it may be one of those asked for: nearly all words of a record are none, and most are told by this alone. */
const PREFILTER_MASK = 0xfff

function toSieve(terms: Iterable<number>): Uint8Array {
  const likely = new Uint8Array(PREFILTER_MASK + 1)
  for (const term of terms) likely[term & PREFILTER_MASK] = 1
  return likely
}

function holdsAny(codes: Uint32Array, terms: Set<number>): boolean {
  return codes.some((code) => terms.has(termOf(code)))
}

function note(holders: number[][], byTerm: Map<number, number[]>, likely: Uint8Array, seq: number, codes: Uint32Array): void {
  for (let at = 0; at < codes.length; at++) {
    const term = termOf(codes[at] ?? 0)
    const groups = likely[term & PREFILTER_MASK] === 0 ? undefined : byTerm.get(term)
    if (groups === undefined) continue
    for (const group of groups) {
      const seqs = holders[group]
      if (seqs !== undefined && seqs.at(-1) !== seq) seqs.push(seq)
    }
  }
}
