import type { StoredRecord, Visible } from './record.ts'

/** Conditions on records; an omitted one does not restrict. */
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
  /** Reject with a DamagedProject if a record is not as it was saved, where the engine can tell. */
  isChecked?: boolean
}

/** Kind of audience: everyone in the project, a department, or the author. */
export type AudienceKind = '*' | 'd' | 'a'

/**
 * Conditions on records that are not forgotten, and whose workspace is not removed; an omitted one does not restrict.
 */
export type RecordFilter = {
  /** Records of other audiences do not pass. The current hash of a source comes from the visible saves. */
  visible: Visible
  audienceKind?: AudienceKind | undefined
  workspaceId?: number | undefined
  status?: StoredRecord['status'] | undefined
  sourceId?: string | undefined
  factKey?: string | undefined
  /**
   * Only records with this id, of this fact key, or of a source that is this text or ends with it after a slash; ASCII
   * letters of ids and sources in any case.
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
  /** Only records that the guard did not mark, or that a person verified since. */
  isUnmarked?: true | undefined
  /** Only records that expire after this time, and at this time or earlier. */
  expiresAfter?: number | undefined
  expiresUntil?: number | undefined
}

/** Numbers of records, most recently saved first. `isComplete`: there are no others. */
export type Selected = { seqs: number[]; isComplete: boolean }

/** `isComplete`: there are no others. */
export type RecordCount = { count: number; isComplete: boolean }

/** A position in a list in order of the last save, of records with the same time by number. */
export type SavedPlace = { savedAt: number; seq: number }

/**
 * A part of a list in that order: it begins after the position `before`, or at the newest record, and skips `offset`
 * records; or, with `after`, it ends right before that position. In the order of the list either way.
 */
export type ListPart = {
  before?: SavedPlace | undefined
  after?: SavedPlace | undefined
  offset?: number | undefined
  limit: number
}

/*
 * A slice of a list is bounded by the rows it examines, not by those it returns, so that a read takes bounded time however many rows are
 * not visible. Without `examine` the engine decides how many those are. `next` of the result is where the next slice begins; undefined at the end of
 * the list.
 */

/** A position in the trash, which is in order of (`forgottenAt`, `seq`), largest first. */
export type TrashPlace = { seq: number; forgottenAt: number }

/**
 * The trash after the position `before`; from its beginning without one. With `after` instead, in the other order: what
 * was forgotten after that position, first forgotten first.
 */
export type TrashSlice = { before?: TrashPlace | undefined; after?: TrashPlace | undefined; examine?: number }

/** A position among the records of one source, in order of (`audience`, `seq`). */
export type OfSourcePlace = Pick<StoredRecord, 'audience' | 'seq'>

/** Records of one source after a position; from its beginning without one. */
export type SourceSlice = {
  visible: Visible
  workspaceId: number
  sourceId: string
  after?: OfSourcePlace | undefined
  examine?: number
}

/** A position among superseded records, in order of (`supersededBy`, `seq`). */
export type SupersededPlace = { supersededBy: string; seq: number }

/** Verified records with a number smaller than `beforeSeq`; from the newest without one. */
export type VerifiedSlice = { visible: Visible; beforeSeq?: number | undefined; examine?: number }

/** The beginning of a record's content, and the name of its workspace. */
export type Excerpt = Pick<StoredRecord, 'seq' | 'id' | 'content' | 'factKey'> & { workspace: string }
