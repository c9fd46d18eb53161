import type { StoredRecord } from '../../store/record.ts'
import type { LanguageCount, Neighbours, TermCount } from '../../store/search.ts'
import type { QueryTerm } from './query-term.ts'
import type { TokenizedRecord } from './scorer.ts'

/** What a caller may see of one workspace, as search looks at it. Nothing outside it takes part in any number. */
export type SearchIndex = {
  /** Records, and their words together; both 0 where there is nothing. */
  records: number
  totalLength: number
  /** Languages other than English that its records were saved in. */
  languages: LanguageCount[]
  /** For each group of terms the records that hold any of them (and any of `beside`), newest first; the newest `MOST_HOLDERS` of a common one. */
  postings: (groups: string[][], beside?: string[]) => Promise<Uint32Array[]>
  /** Of each term whether any record holds it. */
  isHeld: (terms: string[]) => Promise<boolean[]>
  /** Terms from `first` up to but without `end` that the caller may see, in order, with how many records hold each; at most `limit`. */
  terms: (first: string, end: string, limit: number) => Promise<TermCount[]>
  /** Whether every term listed is held by a record of this workspace: others may be of other workspaces, and their counts too. */
  isSole: boolean
  /** Whether holders are found by terms, not by codes, which two terms can share. */
  isExact: boolean
  docs: (seqs: number[]) => Promise<Map<number, TokenizedRecord>>
  neighbours: (seqs: number[]) => Promise<Neighbours[]>
  /** Stand-ins found for unknown words, where nothing can come between that would change them. */
  known: Map<string, QueryTerm[]> | undefined
  rows: (seqs: number[]) => Promise<StoredRecord[]>
}

/** Holders of one term that are looked at: 10 000 numbers take half a millisecond. In smaller projects nothing is left out. */
export const MAX_POSTINGS = 10_000

/** No term of an index comes after it. */
export const LAST_TERM = '\u{10ffff}'

/** The least text that comes after a term. */
export const afterTerm = (term: string) => `${term}\0`
