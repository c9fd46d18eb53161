import type {
  Audience,
  CurrentStatus,
  ImportedSource,
  IndexEntry,
  NewRecord,
  RecordHead,
  SavedFields,
  Source,
  SourceState,
  StoredRecord,
} from './record.ts'

/**
 * The fields of a record that change. Only `supersede` makes a record superseded. Texts change where credentials in
 * them are masked; whoever changes a content or phrases replaces the entry of a record that is not forgotten, too.
 */
export type RecordChange = Partial<
  Pick<
    StoredRecord,
    | 'content'
    | 'askedAs'
    | 'factKey'
    | 'sourceId'
    | 'expiresAt'
    | 'sourceHash'
    | 'refreshedAt'
    | 'verifiedAt'
    | 'needsReview'
    | 'marked'
    | 'factKeyGiven'
  > & {
    status: CurrentStatus
    supersededBy: null
  }
>

/** A record, its index entry, the usage and the statistics of its audience change together. */
export type RecordWrites = {
  /**
   * The record with the same fields that is not forgotten and neither superseded nor expired at the time `now`; with
   * `outdatedBefore`, one that is, with a smaller number than that. The newest if there are several.
   */
  findSame: (saved: SavedFields, now: number, options?: { outdatedBefore?: number }) => Promise<RecordHead | undefined>
  /**
   * Assigns a number to the record, adds it to index and usage, and makes its workspace visible to its audience. Fails
   * if the id exists, and if the record would be superseded by itself through others.
   */
  insertRecord: (record: NewRecord) => Promise<StoredRecord>
  updateRecord: (id: string, change: RecordChange) => Promise<void>
  /**
   * Marks a record as superseded by another one, which need not exist yet. Returns false and changes nothing if that
   * one is superseded by the record, directly or through others, or through more than 1 000 others: so the superseders
   * of a record always lead to a current one, or to one that does not exist.
   */
  supersede: (id: string, by: string) => Promise<boolean>
  /**
   * Stores when a record was first saved under a hash of its source, unless a time from `since` on is known, and drops
   * some of the times before.
   */
  saveRecentState: (recordId: string, state: { hash: string; savedAt: number; since: number }) => Promise<void>
  /** Stores that a source was imported from a folder; does nothing if that is known. */
  saveImportedSource: (source: ImportedSource) => Promise<void>
  /** Does nothing if it is not known. */
  deleteImportedSource: (source: ImportedSource) => Promise<void>
  /** Moves a record into the trash, and removes it from index and usage. Fails if there is no such record. */
  forgetRecord: (id: string, forgottenAt: number) => Promise<void>
  /**
   * Restores a forgotten record to a workspace and audience, with the same number, and adds it to index and usage.
   * Fails if there is no such record.
   */
  restoreRecord: (id: string, place: Pick<StoredRecord, 'workspaceId' | 'audience'>, entry: IndexEntry) => Promise<void>
  /** Erases at most `limit` records forgotten before the time, in no particular order. Returns how many. */
  purgeForgotten: (before: number, limit: number) => Promise<number>
  /**
   * Sets the hash of a source for saves of an audience: one saved at the time `at`, or one with a given save sequence,
   * unless the stored hash has a larger one. Keeps the most recent hashes, with the time they were first saved, if it
   * is known.
   */
  saveSourceState: (
    source: Source & { audience: Audience },
    state: { hash: string; at: number } | SourceState,
  ) => Promise<void>
}
