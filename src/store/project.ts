import type { Soon } from '../soon.ts'
import type { ReleaseReads, ReleaseWrites } from './release.ts'

/** A named area inside a project. Times here and below are milliseconds since 1970. */
export type Workspace = { id: number; name: string; createdAt: number; removedAt: number | null }

/** Who sees a record: `*` everyone of the project, `d:<department id>` callers of it, `a:<author id>` its author alone. */
export type Audience = string

/** A record as it is kept. */
export type StoredRecord = {
  /** Order of saving. An erased record's number may be given again. */
  seq: number
  id: string
  workspaceId: number
  audience: Audience
  authorId: string
  content: string
  factKey: string
  factKeyGiven: boolean
  status: 'unverified' | 'verified' | 'superseded'
  supersededBy: string | null
  sourceId: string | null
  sourceHash: string | null
  createdAt: number
  expiresAt: number | null
  forgottenAt: number | null
}

/** All that is kept of a record but its content, which may be long. */
export type RecordHead = Omit<StoredRecord, 'content'>

/** What the index is to hold of a record. */
export type IndexEntry = {
  /** Terms with a space between them: letters, digits, marks and pictures, lower case. */
  terms: string
  /** The language the terms were made in. */
  language: string
  /** Length of the text in words, at least 1. */
  length: number
  /** The words packed, so that ranking need not read the text; null where the text is hardly longer. */
  codes: Uint8Array | null
  /** The number of the rules by which the terms were made. */
  rules: number
}

/** A record before the store has given it its number, with what the index is to hold of it. */
export type NewRecord = Omit<StoredRecord, 'seq'> & { entry: IndexEntry }

/** What a question to the records begins with: whose records may be seen at all. `undefined` is the operator: everyone's. */
export type Visible = Audience[] | undefined

/** Which records a listing is of; what is left out does not narrow. Forgotten records are only in a listing that asks for them. */
export type Selection = {
  visible: Visible
  workspaceId?: number | undefined
  sourceId?: string | undefined
  status?: StoredRecord['status'] | undefined
  forgotten?: boolean | undefined
  /** Only records saved after this one. */
  afterSeq?: number | undefined
  /** Only records saved before this one. */
  beforeSeq?: number | undefined
  /** Last saved first, instead of in the order of saving. */
  newestFirst?: boolean | undefined
  limit?: number | undefined
}

/** A place in the trash: behind this record. */
export type TrashPlace = { seq: number; forgottenAt: number }

/** A slice of the trash; `before` is where the slice before it ended. `examine` records are looked at. */
export type TrashSlice = { before?: TrashPlace | undefined; examine: number }

/** A slice of the records of one source: those saved after `afterSeq`, of which `examine` rows are looked at, hidden and forgotten ones too. */
export type SourceSlice = { visible: Visible; workspaceId: number; sourceId: string; afterSeq: number; examine: number }

/** A status of a record that is the current one of its fact key. */
export type CurrentStatus = 'unverified' | 'verified'

/**
 * What a record says under its given fact key. Its rivals are the others of the same key, workspace and audience that are neither forgotten nor superseded, and
 * say something else by the hash of their content.
 */
export type Fact = Pick<StoredRecord, 'workspaceId' | 'audience' | 'factKey' | 'content'>

/** By what two records are the same save. */
export type Said = Pick<
  StoredRecord,
  'workspaceId' | 'audience' | 'authorId' | 'content' | 'factKey' | 'factKeyGiven' | 'sourceId' | 'sourceHash'
>

/** A slice of the records with one content: those between the two numbers, of which `examine` are looked at. */
export type SameSlice = { beforeSeq: number | undefined; afterSeq: number; examine: number }

/** Numbers of a verified record and of a rival of it. */
export type Conflict = { verified: number; other: number }

/** A slice of the verified records, the newest first: those before `beforeSeq`, of which `examine` are looked at. */
export type VerifiedSlice = { visible: Visible; beforeSeq: number | undefined; examine: number }

export type Usage = { records: number; contentBytes: number; saveSequence: number }

/** The hash most recently saved for a source, and when among all saves of the project it was: the largest turn is the latest. */
export type SourceState = { hash: string; saveSequence: number }

/** How many records there are of a workspace that may be seen, not forgotten, and how many words they have together. */
export type AudienceStats = { records: number; length: number }

/** A workspace with how many of its records may be seen. */
export type SeenWorkspace = Workspace & { records: number }

/** A page of a list in order of name: at most `limit` entries, and only those whose name comes after `after`. */
export type NamePage = { after?: string | undefined; limit: number }

/** A language, and how many records were saved in it. */
export type Spoken = { language: string; records: number }

/** A term of the index, and how many records hold it. */
export type TermCount = { term: string; records: number }

/** The terms of an audience's records, in any workspace, from `first` up to but without `end`; at most `limit`. */
export type TermRange = { audience: Audience; first: string; end: string; limit: number }

/** Which of these records may be in an answer; what is undefined leaves none out. Sources are judged by what is `visible`. */
export type Filter = {
  visible: Visible
  seqs: number[]
  status: StoredRecord['status'] | undefined
  /** Only records that are not stale at this time. */
  freshAt: number | undefined
}

/** By which rules the index was made; where `target` differs, it is being made anew by those and has `reached` this record. */
export type Indexing = {
  rules: number
  target: number
  reached: number
  /** How often records were erased: as long as it stays, a number means the same record. */
  erasures: number
}

/** Where in the index to look, and for what: any term of a group will do. `beside` narrows it to records that hold any of these too. */
export type PostingsQuery = { visible: Visible; workspaceId: number; groups: string[][]; most: number; beside?: string[] }

/** What ranking reads of a record: its codes, or where there are none to be had its content. */
export type StoredTokens = { seq: number; length: number; codes: Uint8Array | null; content: string | null }

/** A record and those of the same source, workspace and visibility that were saved just before and after it, nearest first. */
export type Neighbours = { seq: number; before: number[]; after: number[] }

/** What can be read of a project. */
export type ProjectReads = ReleaseReads & {
  findWorkspace: (name: string) => Soon<Workspace | undefined>
  /** A removed one too. */
  findWorkspaceById: (id: number) => Promise<Workspace | undefined>
  /** Workspaces not removed that any of these audiences was ever given a record of, in order of name (by code point). Takes time by `limit` alone. */
  listWorkspaces: (visible: Visible, page: NamePage) => Promise<SeenWorkspace[]>
  /** How many workspaces there are that are not removed, whoever sees them. */
  countWorkspaces: () => Promise<number>
  /** Whether any of these audiences was ever given a record of the workspace, forgotten or not. */
  isWrittenFor: (visible: Audience[], workspaceId: number) => Soon<boolean>
  /** Removed ones whose rows are still there, because some of their records are: at most `limit` in order of number, after the number `afterId`. */
  listRemovedWorkspaces: (page: { name?: string | undefined; afterId?: number | undefined; limit: number }) => Promise<Workspace[]>
  /** A record that is not forgotten, unless asked for otherwise. */
  findRecord: (visible: Visible, id: string, options?: { forgotten?: boolean }) => Promise<StoredRecord | undefined>
  /** The same without its content. */
  findHead: (visible: Visible, id: string, options?: { forgotten?: boolean }) => Promise<RecordHead | undefined>
  listRecords: (selection: Selection) => Promise<StoredRecord[]>
  /** The same selection, by id only: what a row has behind a long content is not read. */
  listIds: (selection: Selection) => Promise<string[]>
  /** Records of a slice that are not forgotten, in the order of saving; `next` is the `afterSeq` of the slice behind it, undefined at the end. */
  listSourceSlice: (slice: SourceSlice) => Promise<{ heads: RecordHead[]; next: number | undefined }>
  /** Forgotten records of a slice, last forgotten first; `next` is where it ended, undefined at the end. */
  listTrashSlice: (visible: Visible, slice: TrashSlice) => Promise<{ records: StoredRecord[]; next: TrashPlace | undefined }>
  /** At most `limit` records, not forgotten, that this one superseded where it is, last saved first. */
  listSupersededBy: (record: Pick<StoredRecord, 'id' | 'workspaceId' | 'audience' | 'factKey'>, limit: number) => Promise<StoredRecord[]>
  /**
   * Contradictions within one audience of a workspace, of a slice of the verified records; of one with very many rivals only some. Two verified ones are
   * one contradiction, of the older. `next` is the `beforeSeq` of the slice behind it, undefined at the end.
   */
  listConflictsSlice: (slice: VerifiedSlice) => Promise<{ conflicts: Conflict[]; next: number | undefined }>
  /** Records of these numbers that are not forgotten, in no particular order. */
  findRecordsBySeq: (visible: Visible, seqs: number[]) => Promise<StoredRecord[]>
  /**
   * Of a slice of the records with this content, the newest first, those that are not forgotten and the same in all of `Said`. `next` is the `beforeSeq` of the
   * slice behind it, undefined at the end.
   */
  listSameSlice: (said: Said, slice: SameSlice) => Promise<{ heads: RecordHead[]; next: number | undefined }>
  /** The number of the record saved last, forgotten or not; 0 where there is none. */
  findLastSeq: () => Promise<number>
  /** At most `limit` rivals of a status that were saved at `savedUntil` at the latest, always in the same order. */
  listRivals: (of: Fact, rivals: { status: CurrentStatus; savedUntil?: number; limit: number }) => Promise<RecordHead[]>
  /** How many rivals of a status there are, counted up to `most`. */
  countRivals: (of: Fact, status: CurrentStatus, most: number) => Promise<number>
  /** The rival saved last, where that was after this time. */
  findNewerRival: (of: Fact, savedAfter: number) => Promise<RecordHead | undefined>
  /** The hash most recently saved for a source by a save that may be seen. */
  findCurrentHash: (visible: Visible, workspaceId: number, sourceId: string) => Promise<string | undefined>
  /** What was last saved for a source by saves of just this audience. */
  findSourceState: (workspaceId: number, audience: Audience, sourceId: string) => Promise<SourceState | undefined>
  readUsage: () => Promise<Usage>
  readHolding: (visible: Visible, workspaceId: number) => Soon<AudienceStats>
  /** Languages other than English that records of a workspace that may be seen were saved in. */
  readLanguages: (visible: Visible, workspaceId: number) => Soon<Spoken[]>
  /** Those of the records that pass; at most some hundred should be asked for at once. */
  filterRecords: (filter: Filter) => Promise<number[]>
  /** For each group of terms the newest `most` records that hold any of them: their numbers, largest first. */
  findPostings: (query: PostingsQuery) => Promise<Uint32Array[]>
  /** Numbers of the records of a workspace that may be seen, largest first. */
  findVisibleSeqs: (visible: Visible, workspaceId: number) => Promise<Uint32Array>
  /** In order, with how many records of the audience hold each. Never a term that only other audiences hold, once the index is made by the present rules. */
  listTerms: (range: TermRange) => Promise<TermCount[]>
  /** Codes of records after the number `codedTo` are left unread. */
  findTokens: (visible: Visible, seqs: number[], codedTo: number) => Promise<StoredTokens[]>
  /** Two on either side, of those records that have a source. */
  findNeighbours: (visible: Audience[], seqs: number[]) => Promise<Neighbours[]>
  /** Every record that is not forgotten, where the project has no more than `most`, of 1 KiB on average. The same array until it changes. */
  listSmallProject: (most: number) => Soon<StoredRecord[] | undefined>
  readIndexing: () => Soon<Indexing | undefined>
  /** Compares the index with the rows. */
  checkIndex: () => Promise<IndexCheck>
}

/** What is wrong with an index: rows it lacks, entries without a row, and whether the engine finds its own structure sound. */
export type IndexCheck = { records: number; missing: number; orphaned: number; miscounted: number; sound: boolean }

/** What can be changed of a project, inside a write. */
export type ProjectWrites = ProjectReads &
  ReleaseWrites & {
    insertWorkspace: (name: string, createdAt: number) => Promise<Workspace>
    /** Its name is free again, and no audience lists it; its records are left as they are. */
    removeWorkspace: (id: number, removedAt: number) => Promise<void>
    /** Adds the row and its index entry, counts it, and makes its workspace known to its audience. */
    insertRecord: (record: NewRecord) => Promise<StoredRecord>
    updateRecord: (id: string, change: Partial<Pick<StoredRecord, 'status' | 'supersededBy' | 'expiresAt' | 'sourceHash'>>) => Promise<void>
    /** Takes the records out of the index and out of the count. */
    forgetRecord: (id: string, forgottenAt: number) => Promise<void>
    /** Puts a forgotten record back into a workspace, the index and the count. */
    restoreRecord: (id: string, workspaceId: number, entry: IndexEntry) => Promise<void>
    /** Erases at most `limit` records forgotten before the time. Returns how many. */
    purgeForgotten: (before: number, limit: number) => Promise<number>
    /** Puts a new entry in the place of a record's old one. */
    replaceEntry: (record: StoredRecord, entry: IndexEntry) => Promise<void>
    /** Takes out entries whose record is gone or forgotten, and counts what the index holds anew. */
    sweepIndex: () => Promise<void>
    forgetLanguages: () => Promise<void>
    saveIndexing: (indexing: Omit<Indexing, 'erasures'>) => Promise<void>
    saveSourceHash: (workspaceId: number, sourceId: string, audience: Audience, hash: string) => Promise<void>
    /** Sets what was saved for a source at a turn, unless a later turn is there; the project's own turns go on after it. */
    saveSourceState: (workspaceId: number, sourceId: string, audience: Audience, state: SourceState) => Promise<void>
    /** Erases at most `limit` of what was noted of a workspace's sources. Returns how many. */
    eraseSources: (workspaceId: number, limit: number) => Promise<number>
    /** Erases the row of a workspace that has no records, and what was noted of its sources. Returns false where it still has some. */
    eraseWorkspace: (id: number) => Promise<boolean>
  }

/** A project's file. Reads see what is committed and never wait; writes queue up and are answered after the commit. */
export type ProjectStore = ProjectReads & {
  /** A new number whenever anybody has committed to the project's file; never one given before. */
  version: () => Soon<number>
  write: <T>(act: (tx: ProjectWrites) => Promise<T>) => Promise<T>
}
