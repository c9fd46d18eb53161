import type { Audience, IndexEntry, StoredRecord, Visible } from './record.ts'
import type { RecordFilter } from './record-lists.ts'

/** Number and total length in tokens of visible records that are not forgotten. */
export type AudienceStats = { records: number; length: number }

/** A language (ISO 639-1) and how many records were saved in it. */
export type LanguageCount = { language: string; records: number }

/** A term of the index, and how many records contain it. */
export type TermCount = { term: string; records: number }

/** Terms of one audience's records in any workspace, from `first` up to but without `end`; at most `limit`. */
export type TermRange = { audience: Audience; first: string; end: string; limit: number }

/** The analyzer version the index was built with. Where `target` differs, it is being rebuilt for that version and has `reached` this record. */
export type Indexing = {
  rules: number
  target: number
  reached: number
}

/**
 * Which posting lists are read: of each group of terms the records that contain any of them, at most `most`. With `beside`, only records that
 * contain any of those terms too.
 */
export type PostingsQuery = { visible: Visible; workspaceId: number | undefined; groups: string[][]; most: number; beside?: string[] }

/** What scoring reads of a record: its encoded tokens, or its content where there are none. `length` is in tokens. */
export type StoredTokens = { seq: number; length: number; codes: Uint8Array | null; content: string | null }

/** A record, and the visible records of the same source and workspace that were saved just before and just after it, nearest first. */
export type Neighbours = { seq: number; before: number[]; after: number[] }

/**
 * Which records there are. `lastSeq` is the largest number of one; `epoch` is another one as soon as records were forgotten, restored or erased, or the data may be
 * others altogether. As long as it is the same, records were only added, with larger numbers.
 */
export type RecordSequence = { epoch: string; lastSeq: number }

/** Records of one source that one audience sees and that are not forgotten, their numbers in ascending order. */
export type SourcePart = { workspaceId: number; sourceId: string; audience: Audience; seqs: ArrayLike<number> }

/** What is to be known of some audiences of a workspace, or of all workspaces, before anything is looked for among their records. */
export type IndexFacts = {
  /** Those of the audiences that have records there, in no particular order. */
  audiences: (AudienceStats & { audience: Audience })[]
  /** Languages other than English in which their records were saved, forgotten ones included; in no particular order. */
  languages: LanguageCount[]
  /** Undefined while nothing was ever saved. */
  indexing: Indexing | undefined
  /** Number of records of the whole project that are not forgotten, whoever sees them. */
  projectRecords: number
  sequence: RecordSequence
}

/** A record in the order of `listSourceParts`. */
export type SourcePlace = { workspaceId: number; sourceId: string; audience: Audience; seq: number }

/** A record that has a source and is not forgotten, and the number of an earlier one of the same source and workspace; null if there is none. */
export type AddedToSource = { seq: number; workspaceId: number; audience: Audience; earlier: number | null }

/**
 * Differences between the index and the records: `missing` records without an entry, `orphaned` entries without a record, `miscounted`
 * audiences whose statistics are wrong, and whether the engine finds the structure of its index `sound`.
 */
export type IndexCheck = { records: number; missing: number; orphaned: number; miscounted: number; sound: boolean }

/** Only records that are not forgotten are in the index. Without a workspace all workspaces are read, with what is left of removed ones. */
export type SearchReads = {
  readAudienceStats: (visible: Visible, workspaceId: number | undefined) => Promise<AudienceStats>
  /** What is committed, in one read: a write may have changed more than it has written. */
  readIndexFacts: (visible: Visible, workspaceId: number | undefined) => Promise<IndexFacts>
  /** Those of the records with these numbers that pass, in no particular order. Meant for at most some hundred numbers. */
  filterRecords: (filter: RecordFilter, seqs: number[]) => Promise<number[]>
  /** For each group the numbers of the newest matching records, largest first. */
  findPostings: (query: PostingsQuery) => Promise<Uint32Array[]>
  /** Numbers of the visible records of a workspace, largest first. */
  findVisibleSeqs: (visible: Visible, workspaceId: number | undefined) => Promise<Uint32Array>
  /**
   * By term, in order of code points, with the number of the audience's records that contain it. Once the index is built by the present
   * analyzer, never a term that only records of other audiences contain.
   */
  listTerms: (range: TermRange) => Promise<TermCount[]>
  /** In no particular order. `codes` is null for records with a number greater than `codedTo`: their content is read instead. */
  findTokens: (visible: Visible, seqs: number[], codedTo: number) => Promise<StoredTokens[]>
  /** At most two neighbours on either side, of those of the records that have a source. */
  findNeighbours: (visible: Audience[], seqs: number[]) => Promise<Neighbours[]>
  /**
   * The records of all sources with numbers up to `lastSeq`, in order of workspace, source, audience and number: `limit` of them after a place, or those that are
   * left. The parts of a source follow one another.
   */
  listSourceParts: (page: { after: SourcePlace | undefined; lastSeq: number; limit: number }) => Promise<SourcePart[]>
  /** Of the records of sources those with numbers above `seq` and up to `lastSeq`, in order of number. Meant for at most some thousand numbers. */
  listAddedToSources: (seq: number, lastSeq: number) => Promise<AddedToSource[]>
  /**
   * Every record that is not forgotten, in order of number, where the project has no more than `most` records of 1 KiB on average; otherwise
   * undefined. The engine may give the same array again until the project changes: treat it as read-only.
   */
  listSmallProject: (most: number) => Promise<StoredRecord[] | undefined>
  /** Undefined while nothing was ever saved. */
  readIndexing: () => Promise<Indexing | undefined>
  /** Compares index and records. Takes time by the size of the project. */
  checkIndex: () => Promise<IndexCheck>
}

export type SearchWrites = {
  /** Puts a new entry in the place of a record's present one. */
  replaceEntry: (record: StoredRecord, entry: IndexEntry) => Promise<void>
  /** Removes entries whose record is erased or forgotten, and computes the statistics of the audiences anew. */
  sweepIndex: () => Promise<void>
  /** Sets all language counts to zero. */
  clearLanguages: () => Promise<void>
  saveIndexing: (indexing: Indexing) => Promise<void>
}
