import { yieldIfDue } from '../../cooperative.ts'
import { termBits, termOf } from '../../text/token-codes.ts'
import type { SearchIndex, TokenizedRecord } from './index/search-index.ts'

/**
 * A caller who may see a small part of many records is answered by a scan of it: the index of the store would read whole posting lists to drop nearly all of
 * their records. A scan is of at most so many records, of at most so many words together (half a millisecond), and of at most this share of the project.
 */
const MAX_SCANNED_RECORDS = 1_024
const MAX_SCANNED_WORDS = 1 << 17
const MAX_SCANNED_SHARE = 0.125

/** Whether a part of a project is small enough, by itself and beside the project's number of records. */
export function isScannable(part: { records: number; length: number }, projectRecords: number): boolean {
  const isSmall = part.records <= MAX_SCANNED_RECORDS && part.length <= MAX_SCANNED_WORDS
  return isSmall && part.records > 0 && part.records <= projectRecords * MAX_SCANNED_SHARE
}

/** Tokenized records by number, the largest number first. */
export type ScannedRecords = Map<number, TokenizedRecord>

/**
 * Finds postings by reading the codes of all records. `read` is called once, at the first search. Two terms can have one code, so that a
 * posting may be of a record that does not hold the term.
 */
export function createScan(read: () => Promise<ScannedRecords>): SearchIndex['findPostings'] {
  let reading: Promise<ScannedRecords> | undefined
  return async (groups, requireAnyOf) => {
    reading ??= read()
    const records = await reading
    const due = yieldIfDue()
    if (due !== undefined) await due
    return scan(records, groups, requireAnyOf)
  }
}

function scan(records: ScannedRecords, groups: string[][], requireAnyOf: string[] | undefined): Uint32Array[] {
  const required = requireAnyOf && new Set(requireAnyOf.map(termBits))
  const groupsByTerm = toGroupsByTerm(groups)
  const prefilter = createPrefilter(groupsByTerm.keys())
  const found: number[][] = groups.map(() => [])
  for (const [seq, { codes }] of records) {
    if (required !== undefined && !codes.some((code) => required.has(termOf(code)))) continue
    for (const code of codes) {
      const term = termOf(code)
      if (prefilter[term & PREFILTER_MASK] === 0) continue
      for (const group of groupsByTerm.get(term) ?? []) {
        const seqs = found[group]
        if (seqs !== undefined && seqs.at(-1) !== seq) seqs.push(seq)
      }
    }
  }
  return found.map((seqs) => Uint32Array.from(seqs))
}

/** For the hash of each term the groups that it is in. */
function toGroupsByTerm(groups: string[][]): Map<number, number[]> {
  const byTerm = new Map<number, number[]>()
  groups.forEach((terms, group) => {
    for (const term of terms.map(termBits)) byTerm.set(term, [...(byTerm.get(term) ?? []), group])
  })
  return byTerm
}

/** Low bits of a hash, by which nearly all tokens are told from those that are looked for without asking the map. */
const PREFILTER_MASK = 0xfff

function createPrefilter(terms: Iterable<number>): Uint8Array {
  const prefilter = new Uint8Array(PREFILTER_MASK + 1)
  for (const term of terms) prefilter[term & PREFILTER_MASK] = 1
  return prefilter
}
