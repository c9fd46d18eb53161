import type { QueryPostings } from '../postings.ts'
import { idf } from '../weigh-term.ts'
import { SOURCE_B, SOURCE_K1, SOURCE_SHARE } from '../weights.ts'
import { type RecordSources, sourceOf } from './record-sources.ts'

// Each source counts as one document, in which the frequency of a term is the number of its records that hold the term,
// and is ranked by BM25 (Robertson and Zaragoza 2009).

/** The amount added for its source to the share of what is sought that a record holds. */
export type SourceEvidence = (seq: number) => number

const NO_EVIDENCE: SourceEvidence = () => 0

/**
 * How well the source of each record matches the query, relative to the best source. Only terms with complete posting
 * lists count, since more common terms hardly tell sources apart. 0 for all records unless there are at least two
 * sources. Time is linear in the lengths of the lists and the number of sources.
 */
export function weighSources({ terms, lists }: QueryPostings, seen: RecordSources | undefined): SourceEvidence {
  if (seen === undefined || seen.sources < 2) return NO_EVIDENCE
  const values = new Float64Array(seen.sizes.length)
  const frequencies = new Uint32Array(seen.sizes.length)
  lists.forEach(({ seqs, isComplete }, at) => {
    if (isComplete) addTerm(values, seen, terms[at]?.share ?? 0, countRecords(frequencies, seen, seqs), frequencies)
  })
  let best = 0
  for (const value of values) if (value > best) best = value
  if (best === 0) return NO_EVIDENCE
  const worth = SOURCE_SHARE / best
  return (seq) => worth * (values[sourceOf(seen, seq)] ?? 0)
}

/** Counts in `frequencies` how many records of a posting list each source has. Returns the sources that have any. */
function countRecords(frequencies: Uint32Array, seen: RecordSources, seqs: Uint32Array): number[] {
  const touched: number[] = []
  for (let at = 0; at < seqs.length; at++) {
    const source = sourceOf(seen, seqs[at] ?? 0)
    if (source === 0) continue
    const before = frequencies[source] ?? 0
    if (before === 0) touched.push(source)
    frequencies[source] = before + 1
  }
  return touched
}

/** Adds the BM25 value of a term to each source that has it, and resets their frequencies to 0. */
function addTerm(
  values: Float64Array,
  { sizes, sources, records }: RecordSources,
  share: number,
  touched: number[],
  frequencies: Uint32Array,
): void {
  const weight = share * idf(touched.length, sources)
  const averageSize = records / sources
  for (const source of touched) {
    const tf = frequencies[source] ?? 0
    const norm = SOURCE_K1 * (1 - SOURCE_B + (SOURCE_B * (sizes[source] ?? 0)) / averageSize)
    values[source] = (values[source] ?? 0) + (weight * tf * (SOURCE_K1 + 1)) / (tf + norm)
    frequencies[source] = 0
  }
}
