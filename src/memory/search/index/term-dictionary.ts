import type { TermCount } from '../../../store/search.ts'

/** Terms in ascending order, with the numbers of the records that hold each. */
export type TermDictionary = {
  /** Numbers in ascending order. */
  find: (term: string) => Uint32Array
  /** At most `limit` terms in [`first`, `end`). */
  list: (first: string, end: string, limit: number) => TermCount[]
  /** Memory that it takes. */
  bytes: number
}

const NO_SEQS = new Uint32Array()

/**
 * Makes a dictionary of the record numbers of each term: one text and three arrays, since strings and a list for each
 * take several times the memory.
 */
export function createTermDictionary(postings: Map<string, number[]>): TermDictionary {
  const terms = [...postings.keys()].sort()
  const [starts, lists] = [new Uint32Array(terms.length + 1), new Uint32Array(terms.length + 1)]
  terms.forEach((term, at) => {
    starts[at + 1] = (starts[at] ?? 0) + term.length + 1
    lists[at + 1] = (lists[at] ?? 0) + (postings.get(term)?.length ?? 0)
  })
  const seqs = Uint32Array.from(terms.flatMap((term) => postings.get(term) ?? []))
  return viewTerms({ count: terms.length, text: terms.join(' '), starts, lists, seqs })
}

/** `starts`: where each term begins in the text. `lists`: where its list begins in `seqs`. */
type PackedTerms = { count: number; text: string; starts: Uint32Array; lists: Uint32Array; seqs: Uint32Array }

/** A function of its own: beside those that it returns, what they are made of would be kept as well. */
function viewTerms({ count, text, starts, lists, seqs }: PackedTerms): TermDictionary {
  const termAt = (at: number) => text.slice(starts[at], (starts[at + 1] ?? 0) - 1)
  /** The place of the first term that is not before this one. */
  function placeOf(term: string): number {
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (termAt(middle) < term) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    find: (term) => {
      const at = placeOf(term)
      return at < count && termAt(at) === term ? seqs.subarray(lists[at], lists[at + 1]) : NO_SEQS
    },
    list: (first, end, limit) => {
      const from = placeOf(first)
      return Array.from({ length: Math.min(Math.max(0, placeOf(end) - from), limit) }, (_, nth) => ({
        term: termAt(from + nth),
        records: (lists[from + nth + 1] ?? 0) - (lists[from + nth] ?? 0),
      }))
    },
    bytes: text.length + starts.byteLength + lists.byteLength + seqs.byteLength,
  }
}
