import { idf, type QueryPostings } from '../postings.ts'
import { wholeWeight } from '../score.ts'
import { type RecordSources, sourceOf } from './record-sources.ts'

// Each source is read as one document, whose term frequencies are the numbers of its records that hold a term, and ranked by BM25 (Robertson and Zaragoza 2009). Tuned
// on the nine sets of docs/search.md, Measured.

const K1 = 2
const B = 0.4
/** Fraction of the weight of the whole query that records of the best source get. */
const SHARE = 0.2

/** What a record gets for its source, in the unit of term scores. */
export type SourceEvidence = (seq: number) => number

const NO_EVIDENCE: SourceEvidence = () => 0

/**
 * How well the source of each record matches the query, beside the source that does best. Only terms whose posting lists are complete are counted: the others hardly tell one
 * source from another. Nothing where there are not two sources. Takes time by the lengths of the lists and the number of sources.
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
  const worth = (SHARE * wholeWeight(terms)) / best
  return (seq) => worth * (values[sourceOf(seen, seq)] ?? 0)
}

/** Counts in `frequencies` how many records of each source are in a posting list. Returns the sources that have any. */
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

/** Adds what a term is worth in each of the sources that have it, and sets their frequencies back to 0. */
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
    const norm = K1 * (1 - B + (B * (sizes[source] ?? 0)) / averageSize)
    values[source] = (values[source] ?? 0) + (weight * tf * (K1 + 1)) / (tf + norm)
    frequencies[source] = 0
  }
}
