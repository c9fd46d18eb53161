/**
 * One entry of the audit log: who did what to what, when, from where, and with which outcome. Never holds content, keys
 * or headers.
 */
export type AuditEntry = {
  at: number
  accountId: string | null
  projectId: string | null
  /** `member:<id>`, `key:<id>`, `operator`, or `unknown` if nobody was authenticated. */
  actor: string
  /** Noun and verb: `key.issue`, `record.restore`. */
  act: string
  /** Id or name of the object. */
  target: string | null
  /**
   * IP address of the client, `command line`, `first run`, or `console` if the operator was an owner of another
   * account.
   */
  via: string | null
  outcome: 'done' | 'refused' | 'failed'
  details: Record<string, string | number | boolean | null>
}

/** An entry with its number: a later entry has a larger one. */
export type StoredAuditEntry = AuditEntry & { seq: number }

/** The position of an entry in the log, which is sorted by time, then by number. */
export type AuditPlace = Pick<StoredAuditEntry, 'at' | 'seq'>

/** Conditions on entries; an omitted one does not restrict. */
export type AuditSelection = {
  accountId?: string | undefined
  projectId?: string | undefined
  act?: string | undefined
  /** As in `AuditEntry`. */
  actor?: string | undefined
  /** Only entries of this time or later, in milliseconds since 1970. */
  from?: number | undefined
  /** Only entries of an earlier time. */
  until?: number | undefined
  /** Only entries before this place. */
  before?: AuditPlace | undefined
  limit: number
}

/** Rejections (`record.reject`) in a project: those whose `details.scope` is one of `scopes`, and all of one actor. */
type RejectionSelection = {
  projectId: string
  scopes: string[]
  actor: string
  /** Only entries before the one with this number. */
  beforeSeq?: number | undefined
  limit: number
}

export type AuditReads = {
  /**
   * Newest first. Time is linear in `limit` if the selection has an account, times, and at most one of project, act and
   * actor.
   */
  listAudit: (selection: AuditSelection) => Promise<StoredAuditEntry[]>
  /**
   * The distinct acts, or actors, of the entries of an account, sorted; at most `limit`. Time is linear in their
   * number, not in the number of entries.
   */
  listAuditValues: (accountId: string, field: 'act' | 'actor', limit: number) => Promise<string[]>
  /**
   * Record events (`record.…`) about any of these targets in a project; with null, those without a target, as of
   * operations on many records. Newest first. Time is linear in the number of such entries.
   */
  listRecordActs: (about: { projectId: string; targets: string[] | null; limit: number }) => Promise<StoredAuditEntry[]>
  /** Newest first. Time is linear in `limit`, whatever the number of rejections of other scopes and actors. */
  listRejections: (selection: RejectionSelection) => Promise<StoredAuditEntry[]>
  /** How many `listRejections` finds from this number on, of each scope and of the actor up to `limit`. */
  countRejections: (selection: Omit<RejectionSelection, 'beforeSeq'> & { fromSeq: number }) => Promise<number>
}

export type AuditWrites = {
  /** Entries can be added and purged, never changed. */
  insertAudit: (entry: AuditEntry) => Promise<void>
}
