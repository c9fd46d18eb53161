import type { Audience, IndexEntry, RecordTexts, StoredRecord, Visible } from './record.ts'
import type { RecordFilter } from './record-lists.ts'

/** Number and total length in tokens of visible records that are not forgotten. */
export type AudienceStats = { records: number; length: number }

/** A language (ISO 639-1) and how many records were saved in it. */
export type LanguageCount = { language: string; records: number }

/** A term of the index, and how many records contain it. */
export type TermCount = { term: string; records: number }

/** Terms of one audience's records in any workspace, from `first` up to but without `end`; at most `limit`. */
type TermRange = { audience: Audience; first: string; end: string; limit: number }

/**
 * The analyzer version of the index. If `target` differs, the index is being rebuilt for that version, and is done up
 * to record `reached`.
 */
export type Indexing = {
  rules: number
  target: number
  reached: number
}

/**
 * Which posting lists are read: for each group of terms, the records that contain any of them, at most `most`. With
 * `beside`, only records that also contain any of those terms. `isForSave`: read beside a write, and never again; any
 * `most` records instead of the newest, in any order.
 */
export type PostingsQuery = {
  visible: Visible
  workspaceId: number | undefined
  groups: string[][]
  most: number
  beside?: string[]
  isForSave?: boolean
}

/** What scoring reads of a record: its encoded tokens, or its content if there are none. `length` is in tokens. */
export type StoredTokens = {
  seq: number
  length: number
  codes: Uint8Array | null
  content: string | null
  askedAs: string | null
}

/**
 * A record, and the visible records of the same source and workspace that were saved just before and just after it,
 * nearest first.
 */
export type Neighbours = { seq: number; before: number[]; after: number[] }

/**
 * The state of a project's set of records. `lastSeq` is the largest number; `epoch` changes whenever records are
 * forgotten, restored or erased, or the data may have been replaced. While `epoch` is the same, records were only
 * added, with larger numbers.
 */
export type RecordSequence = { epoch: string; lastSeq: number }

/** Records of one source and audience that are not forgotten; their numbers are ascending. */
export type SourcePart = { workspaceId: number; sourceId: string; audience: Audience; seqs: ArrayLike<number> }

/**
 * What is to be known of some audiences of a workspace, or of all workspaces, before anything is looked for among their
 * records.
 */
export type IndexFacts = {
  /** Those of the audiences that have records there, in no particular order. */
  audiences: (AudienceStats & { audience: Audience })[]
  /**
   * The languages other than English of visible records of a workspace that are not forgotten; in no particular order.
   */
  languages: LanguageCount[]
  /** Undefined while nothing was ever saved. */
  indexing: Indexing | undefined
  /** Number of records of the whole project that are not forgotten, whoever sees them. */
  projectRecords: number
  sequence: RecordSequence
}

/** A record in the order of `listSourceParts`. */
export type SourcePlace = { workspaceId: number; sourceId: string; audience: Audience; seq: number }

/**
 * A record that has a source and is not forgotten, and the number of an earlier one of the same source and workspace;
 * null if there is none.
 */
export type AddedToSource = { seq: number; workspaceId: number; audience: Audience; earlier: number | null }

/**
 * Differences between the index and the records: `missing` records without an entry, `orphaned` entries without a
 * record, `miscounted` audiences whose statistics are wrong and languages counted wrong, and whether the engine finds
 * the structure of its index `sound`.
 */
export type IndexCheck = { records: number; missing: number; orphaned: number; miscounted: number; sound: boolean }

/** The largest average content of a project that `listSmallProject` returns, in bytes. */
export const MAX_AVERAGE_BYTES = 1_024

/**
 * What is read of each record of a small project: all of it from a file, and from a database its index entry, or where
 * it has none yet its texts.
 */
export type SmallRecord =
  | StoredRecord
  | (Pick<StoredRecord, 'seq' | 'workspaceId' | 'audience' | 'id' | 'factKey' | 'sourceId'> &
      (RecordTexts | ({ content: null } & Pick<IndexEntry, 'terms' | 'length'> & { codes: Uint8Array })))

/**
 * Only records that are not forgotten are in the index. Without a workspace all workspaces are read, with what is left
 * of removed ones.
 */
export type SearchReads = {
  /** What is committed, in one read: a write may have changed more than it has written. */
  readIndexFacts: (visible: Visible, workspaceId: number | undefined) => Promise<IndexFacts>
  /** The numbers of the given records that pass. Meant for at most some hundred numbers. In no particular order. */
  filterRecords: (filter: RecordFilter, seqs: number[]) => Promise<number[]>
  /** For each group the numbers of the newest matching records, largest first. */
  findPostings: (query: PostingsQuery) => Promise<Uint32Array[]>
  /**
   * Sorted by term (code points), with the number of the audience's records that contain it. Once the index is built by
   * the present analyzer, contains no term that only records of other audiences contain.
   */
  listTerms: (range: TermRange) => Promise<TermCount[]>
  /**
   * In no particular order. `codes` is null for records with a number greater than `codedTo`: their texts are read
   * instead.
   */
  findTokens: (visible: Visible, seqs: number[], codedTo: number) => Promise<StoredTokens[]>
  /** At most two neighbours on either side, for those of the records that have a source. */
  findNeighbours: (visible: Audience[], seqs: number[]) => Promise<Neighbours[]>
  /**
   * The records of all sources with numbers up to `lastSeq`, in order of workspace, source, audience and number: the
   * next `limit` after a place. The parts of a source are consecutive.
   */
  listSourceParts: (page: { after: SourcePlace | undefined; lastSeq: number; limit: number }) => Promise<SourcePart[]>
  /**
   * Records with a source and with numbers above `seq` and up to `lastSeq`, in order of number. Meant for at most some
   * thousand numbers.
   */
  listAddedToSources: (seq: number, lastSeq: number) => Promise<AddedToSource[]>
  /**
   * All records that are not forgotten, in order of number, if the project has at most `most` records of 1 KiB on
   * average; otherwise undefined. The engine may return the same array until the project changes: treat it as
   * read-only.
   */
  listSmallProject: (most: number) => Promise<SmallRecord[] | undefined>
  /** Compares index and records. Time is linear in the size of the project. */
  checkIndex: () => Promise<IndexCheck>
}

/** A part of so many that an index is swept in. */
export type IndexPart = { at: number; of: number }

export type SearchWrites = {
  /** Replaces a record's entry. */
  replaceEntry: (record: StoredRecord, entry: IndexEntry) => Promise<void>
  /**
   * Removes entries whose record is erased or forgotten, and recomputes the statistics of the audiences and the
   * languages. Each call does one part of the index, the first one without an argument, and returns the next, for a
   * write of its own; undefined after the last.
   */
  sweepIndex: (part?: IndexPart) => Promise<IndexPart | undefined>
  saveIndexing: (indexing: Indexing) => Promise<void>
}
