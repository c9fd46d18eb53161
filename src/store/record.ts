import type { PastHash } from './source-hashes.ts'

/** Who may see a record: `*` everyone of the project, `d:<department id>` callers of the department, `a:<author id>` its author alone. */
export type Audience = string

/** The audiences of a caller, three at most; records of other audiences are not visible. An empty list sees nothing. `undefined` is the operator, who sees all. */
export type Visible = Audience[] | undefined

/** A record. Strings are returned exactly as they were saved. */
export type StoredRecord = {
  /**
   * Positive whole number below 2^32: of two records of a project the one saved later has the larger number. Gaps may be of any size, and the number of
   * an erased record may be given again, so nothing above the store keeps numbers beyond the version of the project they were read at.
   */
  seq: number
  /** Unique in the project. */
  id: string
  workspaceId: number
  audience: Audience
  authorId: string
  content: string
  factKey: string
  /** Whether the caller named the fact key; otherwise it was derived from the content. */
  factKeyGiven: boolean
  status: 'unverified' | 'verified' | 'superseded'
  /** Id of the record that supersedes this one. */
  supersededBy: string | null
  sourceId: string | null
  sourceHash: string | null
  createdAt: number
  /** When it was last saved again, which made no other record; null where it was not. It was last saved then, or else at `createdAt`. */
  refreshedAt: number | null
  expiresAt: number | null
  /** When a person verified it; kept while it is superseded, so that it is verified again should it return. */
  verifiedAt: number | null
  /** Whether an assistant forgot it although it was verified, and no person has looked at that yet. */
  needsReview: boolean
  /** When it was forgotten: it is in the trash then, not in the index, and in no read that does not say so. */
  forgottenAt: number | null
}

/** A record without its content, which may be long. */
export type RecordHead = Omit<StoredRecord, 'content'>

/** What the index holds of a record. */
export type IndexEntry = {
  /** Terms with a space between them: letters, digits, marks and symbols, in lower case. */
  terms: string
  /** Language (ISO 639-1) by whose rules the terms were made. */
  language: string
  /** Length of the text in tokens, at least 1. */
  length: number
  /** The tokens encoded, so that scoring need not read the text; null where the text is hardly longer. */
  codes: Uint8Array | null
  /** Version of the analyzer that made the terms. */
  rules: number
}

/** A record before the store has given it a number, with its entry for the index. */
export type NewRecord = Omit<StoredRecord, 'seq'> & { entry: IndexEntry }

/** Conditions on records; one that is left out does not narrow. */
export type Selection = {
  visible: Visible
  workspaceId?: number | undefined
  sourceId?: string | undefined
  status?: StoredRecord['status'] | undefined
  /** Only forgotten records; without it only those that are not. */
  forgotten?: boolean | undefined
  /** Only records with a larger number. */
  afterSeq?: number | undefined
  /** Only records with a smaller number. */
  beforeSeq?: number | undefined
  /** Largest number first, instead of smallest first. */
  newestFirst?: boolean | undefined
  limit?: number | undefined
}

/** What kind of audience a record has: everyone of the project, a department, or its author. */
export type AudienceKind = '*' | 'd' | 'a'

/** Conditions on records that are not forgotten, and whose workspace is not removed; one that is left out does not narrow. */
export type RecordFilter = {
  /** Records of other audiences do not pass. Whether a source is current is judged by visible saves. */
  visible: Visible
  audienceKind?: AudienceKind | undefined
  workspaceId?: number | undefined
  status?: StoredRecord['status'] | undefined
  sourceId?: string | undefined
  factKey?: string | undefined
  /**
   * Only records with this id, of this fact key, or of a source that is this text or ends with it after a slash; ASCII letters of ids and sources in any case.
   */
  named?: string | undefined
  /** Ids of authors; empty passes none. */
  authors?: string[] | undefined
  /** Last saved at this time or later, and at this time or earlier. */
  savedFrom?: number | undefined
  savedUntil?: number | undefined
  /** Only records that are not stale at this time. */
  freshAt?: number | undefined
  /** Only records that are stale at this time. */
  staleAt?: number | undefined
  /** Only records that expire after this time, and at this time or earlier. */
  expiresAfter?: number | undefined
  expiresUntil?: number | undefined
}

/** Numbers of records, the one saved last first. `isComplete` where there are no others. */
export type Selected = { seqs: number[]; isComplete: boolean }

/** A position in a list in order of the last save, of records with the same time by number. */
export type SavedPlace = { savedAt: number; seq: number }

/**
 * A part of such a list, which begins after the position `before`, or else with the last record saved, and after leaving out `offset` records; or, with `after`, the records that stand
 * right above that position. In order of the list either way.
 */
export type ListPart = { before?: SavedPlace | undefined; after?: SavedPlace | undefined; offset?: number | undefined; limit: number }

/*
 * A slice of a list is bounded by the rows it examines, not by those it returns, so that a read takes bounded time however many rows are
 * not visible. Without `examine` the engine decides how many those are. `next` of the result is where the next slice begins; undefined at the end of
 * the list.
 */

/** A position in the trash, which is in order of (`forgottenAt`, `seq`), largest first. */
export type TrashPlace = { seq: number; forgottenAt: number }

/** The trash after the position `before`; from its beginning without one. */
export type TrashSlice = { before?: TrashPlace | undefined; examine?: number }

/** Records of one source with a number greater than `afterSeq`; from the oldest without one. */
export type SourceSlice = { visible: Visible; workspaceId: number; sourceId: string; afterSeq?: number | undefined; examine?: number }

/** A position among superseded records, in order of (`supersededBy`, `seq`). */
export type SupersededPlace = { supersededBy: string; seq: number }

/** Verified records with a number smaller than `beforeSeq`; from the newest without one. */
export type VerifiedSlice = { visible: Visible; beforeSeq?: number | undefined; examine?: number }

/** Status of a record that is neither superseded nor forgotten. */
export type CurrentStatus = 'unverified' | 'verified'

/**
 * What a record states under its fact key. Its rivals are the current records with the same fact key, given or derived, the same workspace and
 * audience and another content. Keys and contents are compared as `text/comparable.ts` says.
 */
export type Fact = Pick<StoredRecord, 'workspaceId' | 'audience' | 'factKey' | 'content'>

/** What a record states under its fact key; under a derived key it has no rivals. */
export type FactOfRecord = Fact & Pick<StoredRecord, 'factKeyGiven'>

/**
 * Place of a record among those of its fact: the later one holds. `at` is when it was verified, or else saved (milliseconds since 1970); of two with the same
 * time the one with the larger number is later.
 */
export type Rank = { at: number; seq: number }

/**
 * The fields in which two saves of the same record agree: content and fact key as `text/comparable.ts` compares them, whether the key was given or
 * derived, and the author only where there is no source.
 */
export type SavedFields = Pick<StoredRecord, 'workspaceId' | 'audience' | 'authorId' | 'content' | 'factKey' | 'sourceId'>

/** A state of a source, as one audience or all that a caller sees may have saved it. */
export type StateOfSource = Source & { visible: Visible; hash: string }

/** Numbers of a verified record and of a rival of it. */
export type Conflict = { verified: number; other: number }

/** What counts against the plan: records that are not forgotten, and the bytes of their contents in UTF-8. `saveSequence` is that of the last save of a source. */
export type Usage = { records: number; contentBytes: number; saveSequence: number }

/** A source of a workspace. */
export type Source = { workspaceId: number; sourceId: string }

/** A source that an import of a folder brought: `root` is the path of the folder. */
export type ImportedSource = Source & { root: string }

/** The hash last saved for a source by saves of one audience. `saveSequence` numbers the saves of sources in a project: a later save has a larger one. */
export type SourceState = { hash: string; saveSequence: number }

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
   * The last saved records that pass a filter, at most `most` of them. Found in such steps, too. Undefined where that would take looking through
   * more than 65 536 others, as it may for a filter that names no record, source or fact key.
   */
  selectLatest: (filter: RecordFilter, most: number) => Promise<Selected | undefined>
  /** Records of a source that are not forgotten, in order of number; `next` is the next `afterSeq`. */
  listSourceSlice: (slice: SourceSlice) => Promise<{ heads: RecordHead[]; next: number | undefined }>
  /** Forgotten records, last forgotten first; `next` is the next `before`. */
  listTrashSlice: (visible: Visible, slice: TrashSlice) => Promise<{ records: StoredRecord[]; next: TrashPlace | undefined }>
  /** At most `limit` records that name this one as what supersedes them and that are not forgotten, of its workspace and audience; largest number first. */
  listSupersededBy: (record: Pick<StoredRecord, 'id' | 'workspaceId' | 'audience'>, limit: number) => Promise<StoredRecord[]>
  /** The same without contents, whatever their workspace and audience, with a number smaller than `beforeSeq` where one is given. */
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
  /** At most `limit` rivals with a status, of a rank before `before` where one is given; always in the same order. */
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
  /** When a record was first saved under this hash of its source; undefined where that was not lately. */
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
  /** Every record saved with the same fields that is not forgotten, largest number first. Takes time by the number of records of the same content. */
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
