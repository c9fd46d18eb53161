import type {
  Audience,
  Conflict,
  CurrentStatus,
  Fact,
  FactOfRecord,
  ImportedSource,
  IndexEntry,
  NewRecord,
  Rank,
  RecordHead,
  SavedFields,
  Source,
  SourceState,
  StateOfSource,
  StoredRecord,
  Usage,
  Visible,
} from './record.ts'
import type {
  ListPart,
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
  /** Records with these numbers that are not forgotten, in no particular order. However many: the engine reads contents in pieces. */
  findRecordsBySeq: (visible: Visible, seqs: number[]) => Promise<StoredRecord[]>
  /** The same without contents. */
  findHeadsBySeq: (visible: Visible, seqs: number[]) => Promise<RecordHead[]>
  /** In order of number. */
  listRecords: (selection: Selection) => Promise<StoredRecord[]>
  /** Ids of the same records in the same order, without reading contents. */
  listIds: (selection: Selection) => Promise<string[]>
  /**
   * Records that pass a filter, the one saved last first. There may be few of them among very many others: the engine looks for them in steps between which
   * other work of the process is done.
   */
  listLatest: (filter: RecordFilter, part: ListPart) => Promise<StoredRecord[]>
  /**
   * The last saved records that pass a filter, at most `most` of them. Found in such steps, too. Undefined if that would take looking through
   * more than 65 536 others, as it may for a filter that names no record, source or fact key.
   */
  selectLatest: (filter: RecordFilter, most: number) => Promise<Selected | undefined>
  /** Records of a source that are not forgotten, in order of number; `next` is the next `afterSeq`. */
  listSourceSlice: (slice: SourceSlice) => Promise<{ heads: RecordHead[]; next: number | undefined }>
  /** Forgotten records, last forgotten first; `next` is the next `before`. */
  listTrashSlice: (visible: Visible, slice: TrashSlice) => Promise<{ records: StoredRecord[]; next: TrashPlace | undefined }>
  /** At most `limit` records that name this one as what supersedes them and that are not forgotten, of its workspace and audience; largest number first. */
  listSupersededBy: (record: Pick<StoredRecord, 'id' | 'workspaceId' | 'audience'>, limit: number) => Promise<StoredRecord[]>
  /** The same without contents, whatever their workspace and audience, with a number smaller than `beforeSeq` if one is given. */
  listHeirs: (id: string, page: { beforeSeq?: number | undefined; limit: number }) => Promise<RecordHead[]>
  /**
   * Superseded records that are not forgotten and name a record that is forgotten or not there, after a position; from the beginning without one. `next` is
   * the next position.
   */
  listOrphansSlice: (slice: { after?: SupersededPlace | undefined; examine?: number }) => Promise<{
    ids: string[]
    next: SupersededPlace | undefined
  }>
  /**
   * Verified records, each with its rivals of given fact keys. A pair of two verified records, both with given keys, is listed once, as a conflict of the
   * older. Of a record with more than 20 rivals of a kind only some are listed. `next` is the next `beforeSeq`.
   */
  listConflictsSlice: (slice: VerifiedSlice) => Promise<{ conflicts: Conflict[]; next: number | undefined }>
  /**
   * Contradictions between verified records and others of given fact keys, in which any of the records with these numbers takes part, at most 8 for each; a pair of
   * two verified records both ways round. One read, however many numbers.
   */
  listContradictions: (seqs: number[]) => Promise<Conflict[]>
  /** At most `limit` rivals with a status, of a rank before `before` if one is given; always in the same order. */
  listRivals: (of: Fact, rivals: { status: CurrentStatus; before?: Rank | undefined; limit: number }) => Promise<RecordHead[]>
  /** Of each fact at most `limit` rivals, those of the first status first; none of a fact with a derived key. One read, however many facts. */
  listRivalsOfEach: (facts: FactOfRecord[], rivals: { statuses: CurrentStatus[]; limit: number }) => Promise<RecordHead[][]>
  /** The number of rivals with a status, counted up to `most`. */
  countRivals: (of: Fact, status: CurrentStatus, most: number) => Promise<number>
  /**
   * Of the records of a fact with given keys and another content that are not forgotten, superseded ones included, the one with the last rank, if that is after
   * `after`. With `isVerified` only of those that were verified.
   */
  findLater: (than: Fact, of: { after: Rank; isVerified: boolean }) => Promise<RecordHead | undefined>
  /**
   * Of the records of a fact with given keys, whatever they say, the `limit` of the last rank that are not forgotten, superseded ones included, and the `limit` of those in the trash that
   * were forgotten last; in no particular order.
   */
  listVersions: (of: Omit<Fact, 'content'>, limit: number) => Promise<StoredRecord[]>
  /** At most `limit` records forgotten by assistants that a person is to look at (`needsReview`), last forgotten first. */
  listToReview: (visible: Visible, limit: number) => Promise<StoredRecord[]>
  /** How many visible records of a state of a source are neither forgotten, nor superseded, nor at the time `now` expired, counted up to `most`. */
  countInState: (state: StateOfSource, now: number, most: number) => Promise<number>
  /** Of these workspaces the ids of those that have a visible record of the source. */
  findWorkspacesOfSource: (visible: Visible, sourceId: string, workspaceIds: number[]) => Promise<number[]>
  /** When a record was first saved under this hash of its source; undefined if that was not lately. */
  findRecentState: (recordId: string, hash: string) => Promise<number | undefined>
  /** The hash last saved for a source by a visible save. */
  findCurrentHash: (visible: Visible, workspaceId: number, sourceId: string) => Promise<string | undefined>
  /** The same of many sources, in their order: one read, however many sources. */
  findCurrentHashes: (visible: Visible, sources: Source[]) => Promise<(string | undefined)[]>
  /** The last hashes of a source by visible saves, some ten for each audience, in the order in which it had them. */
  listSourceHashes: (visible: Visible, source: Source) => Promise<PastHash[]>
  /** What was last saved for a source by saves of exactly this audience. */
  findSourceState: (workspaceId: number, audience: Audience, sourceId: string) => Promise<SourceState | undefined>
  /** The same of many sources, in their order: one read, however many sources. */
  findSourceStates: (sources: (Source & { audience: Audience })[]) => Promise<(SourceState | undefined)[]>
  /** What imports of a folder brought, in order of (`workspaceId`, `sourceId`), after a source. */
  listImportedSources: (root: string, page: { after?: Source | undefined; limit: number }) => Promise<ImportedSource[]>
  readUsage: () => Promise<Usage>
}

/** The fields of a record that change. */
export type RecordChange = Partial<
  Pick<StoredRecord, 'status' | 'supersededBy' | 'expiresAt' | 'sourceHash' | 'refreshedAt' | 'verifiedAt' | 'needsReview' | 'factKeyGiven'>
>

/** A record, its index entry, the usage and the statistics of its audience change together. */
export type RecordWrites = {
  /**
   * The record saved with the same fields that is neither forgotten nor superseded nor, at the time `now`, expired; the newest where there are several.
   * The engine may have to run the act again to answer.
   */
  findSame: (saved: SavedFields, now: number) => Promise<RecordHead | undefined>
  /** Every record saved with the same fields that is not forgotten, largest number first. Time is linear in the number of records of the same content. */
  listSame: (saved: SavedFields) => Promise<RecordHead[]>
  /** Gives the record a number, adds it to the index and the usage, and makes its workspace known to its audience. Fails where the id is taken. */
  insertRecord: (record: NewRecord) => Promise<StoredRecord>
  updateRecord: (id: string, change: RecordChange) => Promise<void>
  /** Notes when a record was first saved under a hash of its source, unless that is known, and drops what was noted with an earlier time than `since`. */
  saveRecentState: (recordId: string, state: { hash: string; savedAt: number; since: number }) => Promise<void>
  /** Notes that an import of a folder brought a source; does nothing where that is known. */
  saveImportedSource: (source: ImportedSource) => Promise<void>
  /** Does nothing where it is not known. */
  deleteImportedSource: (source: ImportedSource) => Promise<void>
  /** Moves a record into the trash: out of the index and the usage. Fails where there is no such record. */
  forgetRecord: (id: string, forgottenAt: number) => Promise<void>
  /** Puts a forgotten record back, into a workspace and before an audience, the index and the usage; its number stays. Fails where there is no such record. */
  restoreRecord: (id: string, place: Pick<StoredRecord, 'workspaceId' | 'audience'>, entry: IndexEntry) => Promise<void>
  /** Erases at most `limit` records forgotten before the time, in no particular order. Returns how many. */
  purgeForgotten: (before: number, limit: number) => Promise<number>
  /** Sets the hash of a source for saves of an audience, with the next save sequence. The last hashes are kept, with when they were first saved (`at`). */
  saveSourceHash: (workspaceId: number, sourceId: string, audience: Audience, hash: string, at?: number | null) => Promise<void>
  /** Sets the hash of a source with a given save sequence, unless the hash there has a larger one. Later saves have larger ones than both. */
  saveSourceState: (workspaceId: number, sourceId: string, audience: Audience, state: SourceState) => Promise<void>
}
