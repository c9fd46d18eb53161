import type {
  Audience,
  Conflict,
  CurrentStatus,
  Fact,
  ImportedSource,
  Rank,
  RecordHead,
  Source,
  SourceState,
  StateOfSource,
  StoredRecord,
  Usage,
  Visible,
} from './record.ts'
import type {
  Excerpt,
  ListPart,
  OfSourcePlace,
  RecordCount,
  RecordFilter,
  Selected,
  Selection,
  SourceSlice,
  SupersededPlace,
  TrashPlace,
  TrashSlice,
  VerifiedSlice,
} from './record-lists.ts'
import type { PastHash } from './source-hashes.ts'

export type RecordReads = {
  /** A record that is not forgotten; with `forgotten`, forgotten or not. */
  findRecord: (visible: Visible, id: string, options?: { forgotten?: boolean }) => Promise<StoredRecord | undefined>
  /** The same without the content. */
  findHead: (visible: Visible, id: string, options?: { forgotten?: boolean }) => Promise<RecordHead | undefined>
  /**
   * Records with these numbers that are not forgotten, in no particular order. However many: the engine reads contents
   * in pieces.
   */
  findRecordsBySeq: (visible: Visible, seqs: number[]) => Promise<StoredRecord[]>
  /** The same without contents. */
  findHeadsBySeq: (visible: Visible, seqs: number[]) => Promise<RecordHead[]>
  /**
   * Of those of these records that are current and not marked, in workspaces that are not removed, so many characters
   * of the contents; in no particular order.
   */
  findExcerptsBySeq: (visible: Visible, seqs: number[], characters: number) => Promise<Excerpt[]>
  /** In order of number. */
  listRecords: (selection: Selection) => Promise<StoredRecord[]>
  /**
   * Records that pass a filter, most recently saved first. If few among very many do, the engine looks for them in
   * steps and yields between these.
   */
  listLatest: (filter: RecordFilter, part: ListPart) => Promise<StoredRecord[]>
  /**
   * The `most` most recently saved records that pass a filter, found in steps too. Undefined if that would require
   * examining more than 65 536 others, which can happen for a filter without id, source or fact key.
   */
  selectLatest: (filter: RecordFilter, most: number) => Promise<Selected | undefined>
  /**
   * How many records pass a filter: all, or at least as many if more than some 262 144 would have to be examined. A filter
   * that a look at each record has to decide (by source, fact key or freshness, unless these narrow it to few) counts
   * up to `most`, and is undefined as `selectLatest` is.
   */
  countLatest: (filter: RecordFilter, most: number) => Promise<RecordCount | undefined>
  /** Records of a source that are not forgotten, in order of audience and number; `next` is the next `after`. */
  listSourceSlice: (slice: SourceSlice) => Promise<{ heads: RecordHead[]; next: OfSourcePlace | undefined }>
  /**
   * Records that are not forgotten, of workspaces that are not removed, whose sources begin with this text, which ends
   * with an ASCII character: the first saved, in this order.
   */
  listOfSourcesBeginning: (visible: Visible, beginning: string, limit: number) => Promise<RecordHead[]>
  /** Forgotten records, last forgotten first; `next` is the next `before`, or `after` if that was given. */
  listTrashSlice: (
    visible: Visible,
    slice: TrashSlice,
  ) => Promise<{ records: StoredRecord[]; next: TrashPlace | undefined }>
  /**
   * Records that this one supersedes and that are not forgotten, in any workspace and audience, with a number smaller
   * than `beforeSeq` if one is given; at most `limit`, largest number first.
   */
  listSupersededBy: (id: string, page: { beforeSeq?: number | undefined; limit: number }) => Promise<RecordHead[]>
  /**
   * Superseded records that are not forgotten and whose superseder is forgotten, does not exist, or is in another
   * workspace or audience, after a position or from the beginning. `next` is the next position.
   */
  listOrphans: (slice: { after?: SupersededPlace | undefined; examine?: number }) => Promise<{
    ids: string[]
    next: SupersededPlace | undefined
  }>
  /**
   * Verified records, each with its rivals of given fact keys. A pair of two verified records, both with given keys, is
   * listed once, as a conflict of the older. Of a record with more than 20 rivals of a kind only some are listed.
   * `next` is the next `beforeSeq`.
   */
  listConflictsSlice: (slice: VerifiedSlice) => Promise<{ conflicts: Conflict[]; next: number | undefined }>
  /**
   * Contradictions between verified records and others of given fact keys, in which any of the records with these
   * numbers takes part, at most 8 for each; a pair of two verified records both ways round. One read, however many
   * numbers.
   */
  listContradictions: (seqs: number[]) => Promise<Conflict[]>
  /** At most `limit` rivals with a status, of a rank before `before` if one is given; always in the same order. */
  listRivals: (
    of: Fact,
    rivals: { status: CurrentStatus; before?: Rank | undefined; limit: number },
  ) => Promise<RecordHead[]>
  /** The number of rivals with a status, counted up to `most`. */
  countRivals: (of: Fact, status: CurrentStatus, most: number) => Promise<number>
  /**
   * The record of latest rank among those of a fact with given keys and another content that are not forgotten
   * (superseded ones included), if its rank is after `after`. With `isVerified`, only among those that were verified.
   */
  findLater: (than: Fact, of: { after: Rank; isVerified: boolean }) => Promise<RecordHead | undefined>
  /**
   * The versions of a fact, which are its records with given keys: the `limit` of latest rank that are not forgotten,
   * superseded ones included, and the `limit` most recently forgotten; in no particular order.
   */
  listVersions: (of: Omit<Fact, 'content'>, limit: number) => Promise<StoredRecord[]>
  /**
   * At most `limit` records that a person is to look at: those forgotten by assistants (`needsReview`), last forgotten
   * first, or those that the guard marked and that are neither forgotten nor superseded, newest first.
   */
  listToReview: (visible: Visible, kind: 'forgotten' | 'marked', limit: number) => Promise<StoredRecord[]>
  /** Number of forgotten records, or of those that a person is to look at, read from an index of these alone. */
  countForgotten: (visible: Visible, kind?: 'to review') => Promise<number>
  /**
   * Number of visible records with a state of a source that are neither forgotten nor superseded nor expired at the
   * time `now`, counted up to `most`.
   */
  countInState: (state: StateOfSource, now: number, most: number) => Promise<number>
  /** Those of the workspaces that have a visible record of the source. */
  findWorkspacesOfSource: (visible: Visible, sourceId: string, workspaceIds: number[]) => Promise<number[]>
  /** When a record was first saved under this hash of its source; undefined or earlier if that was not recently. */
  findRecentState: (recordId: string, hash: string) => Promise<number | undefined>
  /**
   * The hash most recently saved for each source by a visible save, in the order of the sources: one read, however
   * many.
   */
  findCurrentHashes: (visible: Visible, sources: Source[]) => Promise<(string | undefined)[]>
  /** The most recent hashes of a source by visible saves, about ten for each audience, in chronological order. */
  listSourceHashes: (visible: Visible, source: Source) => Promise<PastHash[]>
  /**
   * The state most recently saved for each source by exactly this audience, in the order of the sources: one read,
   * however many.
   */
  findSourceStates: (sources: (Source & { audience: Audience })[]) => Promise<(SourceState | undefined)[]>
  /** Sources imported from a folder, in order of (`workspaceId`, `sourceId`), after a source. */
  listImportedSources: (root: string, page: { after?: Source | undefined; limit: number }) => Promise<ImportedSource[]>
  readUsage: () => Promise<Usage>
}
