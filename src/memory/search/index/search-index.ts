import type { StoredRecord } from '../../../store/record.ts'
import type { LanguageCount, Neighbours, TermCount } from '../../../store/search.ts'
import type { RecordSources } from '../sources/record-sources.ts'

/** A record's text as it is scored: the code of each of its tokens in their order, and its length in words. */
export type TokenizedRecord = { codes: Uint32Array; length: number }

/** Longer records take a noticeable part of a millisecond to unpack and score, so that work on them yields between two. */
export const LONG_RECORD_TOKENS = 1 << 12

/**
 * The records of one workspace and some audiences, as search reads them. No number or list that it gives depends on any other record, so
 * that an answer tells nothing about records that the caller may not see.
 */
export type SearchIndex = {
  /** Number of records, and the sum of their lengths in words; both 0 where there is nothing. */
  records: number
  totalLength: number
  /** Languages other than English that the records were saved in. */
  languages: LanguageCount[]
  /**
   * For each group of terms the numbers of the records that hold any of them, largest first: the newest `MAX_POSTINGS` of a common group.
   * With `requireAnyOf` only records that hold one of those terms too.
   */
  findPostings: (groups: string[][], requireAnyOf?: string[]) => Promise<Uint32Array[]>
  /** For each term whether any record holds it. */
  containsTerms: (terms: string[]) => Promise<boolean[]>
  /** At most `limit` terms from `first` up to but without `end`, in ascending order, with how many records hold each. */
  listTerms: (first: string, end: string, limit: number) => Promise<TermCount[]>
  /** Whether `listTerms` lists terms and counts of this index alone: it may list those that the same audiences have in other workspaces too. */
  hasExactTermCounts: boolean
  /** Whether postings are found by terms. Otherwise they are found by token codes, which two terms can share, and a match is to be confirmed. */
  hasExactPostings: boolean
  /** The tokens of records, in no particular order. Some dozen should be read at once: they may be long. */
  readTokens: (seqs: number[]) => Promise<Map<number, TokenizedRecord>>
  /** Which source each record is of; undefined where the project has so many that they are not known. */
  readSources: () => Promise<RecordSources | undefined>
  findNeighbours: (seqs: number[]) => Promise<Neighbours[]>
  readRecords: (seqs: number[]) => Promise<StoredRecord[]>
}

/** Longest posting list that is read: 10 000 numbers take half a millisecond. A project with fewer records is searched completely. */
export const MAX_POSTINGS = 10_000

/** Comes after every term of an index. */
export const LAST_TERM = '\u{10ffff}'

/** The first possible term after this one. */
export const afterTerm = (term: string) => `${term}\0`
