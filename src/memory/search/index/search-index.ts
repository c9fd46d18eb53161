import type { ProjectReads } from '../../../store/project.ts'
import type { RecordHead, StoredRecord } from '../../../store/record.ts'
import type { LanguageCount, Neighbours, TermCount } from '../../../store/search.ts'
import type { RecordSources } from '../sources/record-sources.ts'

/** A record's text as the scorer reads it: the codes of its tokens in order, and its length in words. */
export type TokenizedRecord = { codes: Uint32Array; length: number }

/**
 * Unpacking and scoring a longer record takes a noticeable part of a millisecond, so that work on such records yields
 * between two of them.
 */
export const LONG_RECORD_TOKENS = 1 << 12

/**
 * What search reads about the records of one workspace (or all) and some audiences. No count or list depends on any
 * other record, so that an answer reveals nothing about records the caller may not see.
 */
export type SearchIndex = {
  /** Number of records, and the sum of their lengths in words. */
  records: number
  totalLength: number
  /** Languages other than English that the records were saved in. */
  languages: LanguageCount[]
  /**
   * For each group of terms, the numbers of the records that hold any of them, in descending order and at most
   * `MAX_POSTINGS`, so that those of the newest records remain. With `requireAnyOf`, only records that also hold one of
   * those terms.
   */
  findPostings: (groups: string[][], requireAnyOf?: string[]) => Promise<Uint32Array[]>
  /** For each term, whether any record holds it. */
  containsTerms: (terms: string[]) => Promise<boolean[]>
  /** At most `limit` terms in [`first`, `end`), in ascending order, with the number of records that hold each. */
  listTerms: (first: string, end: string, limit: number) => Promise<TermCount[]>
  /**
   * Whether `listTerms` covers this index alone. If not, it also lists and counts terms that the same audiences have in
   * other workspaces.
   */
  hasExactTermCounts: boolean
  /** The tokens of records, in no particular order. They may be long, so callers read a limited number at once. */
  readTokens: (seqs: number[]) => Promise<Map<number, TokenizedRecord>>
  /** The source of each record; undefined for a project whose map of sources would be too large. */
  readSources: () => Promise<RecordSources | undefined>
  findNeighbours: (seqs: number[]) => Promise<Neighbours[]>
  /** In no particular order. */
  readRecords: (seqs: number[]) => Promise<StoredRecord[]>
  findCurrentHashes: ProjectReads['findCurrentHashes']
  /** What is known without asking the store: whether it has to be asked. */
  hints: IndexHints
}

export type IndexHints = {
  /** Whether any record may have this id, fact key or source. */
  mayName: (named: string) => boolean
  /** Whether another record may have the fact key of this one. */
  mayDispute: (record: RecordHead) => boolean
  /** Whether another workspace may have records. */
  hasOthers: boolean
}

/**
 * Longest posting list that is read; 10 000 numbers take half a millisecond. A project with fewer records is searched
 * completely.
 */
export const MAX_POSTINGS = 10_000

/** Sorts after every term of an index. */
export const LAST_TERM = '\u{10ffff}'

/** The first possible term after this one. */
export const afterTerm = (term: string) => `${term}\0`
