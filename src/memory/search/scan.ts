import { yieldIfDue } from '../../cooperative.ts'
import { termBits, termOf } from '../../text/token-codes.ts'
import type { SearchIndex, TokenizedRecord } from './index/search-index.ts'

/**
 * Bounds of a part that is scanned: records, total words (half a millisecond), and share of the project's records. For a caller who sees only a small part of
 * a project, a scan beats the store's index, which would read whole posting lists and drop nearly all of their records.
 */
const MAX_SCANNED_RECORDS = 1_024
const MAX_SCANNED_WORDS = 1 << 17
const MAX_SCANNED_SHARE = 0.125

/** Whether a part is small enough to be scanned, in itself and relative to the project's number of records. */
export function isScannable(part: { records: number; length: number }, projectRecords: number): boolean {
  const isSmall = part.records <= MAX_SCANNED_RECORDS && part.length <= MAX_SCANNED_WORDS
  return isSmall && part.records > 0 && part.records <= projectRecords * MAX_SCANNED_SHARE
}

/** Tokenized records by number, in descending order of the numbers. */
export type ScannedRecords = Map<number, TokenizedRecord>

/**
 * A `findPostings` that reads the codes of all records. `read` is called once, at the first search. Two terms can share a code, so a posting may be of a
 * record that does not hold the term.
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

/** Maps the hash of each term to the groups that contain it. */
function toGroupsByTerm(groups: string[][]): Map<number, number[]> {
  const byTerm = new Map<number, number[]>()
  groups.forEach((terms, group) => {
    for (const term of terms.map(termBits)) byTerm.set(term, [...(byTerm.get(term) ?? []), group])
  })
  return byTerm
}

/** Low bits of a hash; they rule out nearly all tokens that are not looked for, without a lookup in the map. */
const PREFILTER_MASK = 0xfff

function createPrefilter(terms: Iterable<number>): Uint8Array {
  const prefilter = new Uint8Array(PREFILTER_MASK + 1)
  for (const term of terms) prefilter[term & PREFILTER_MASK] = 1
  return prefilter
}
