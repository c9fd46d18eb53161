/** One entry of the audit log: who did what to what, when, from where, and with which outcome. Never holds content, keys or headers. */
export type AuditEntry = {
  at: number
  accountId: string | null
  projectId: string | null
  /** `member:<id>`, `key:<id>`, `operator`, or `unknown` if nobody was authenticated. */
  actor: string
  /** Noun and verb: `key.issue`, `record.restore`. */
  act: string
  /** Id or name of what it was done to. */
  target: string | null
  /** IP address of the client, `command line`, `first run`, or `console` if the operator was somebody of another account. */
  via: string | null
  outcome: 'done' | 'refused' | 'failed'
  details: Record<string, string | number | boolean | null>
}

/** An entry with its number: a later entry has a larger one. */
export type StoredAuditEntry = AuditEntry & { seq: number }

/** Where an entry stands in the log, which is sorted by time and then by number. */
export type AuditPlace = Pick<StoredAuditEntry, 'at' | 'seq'>

/** Conditions on entries; one that is left out does not narrow. */
export type AuditSelection = {
  accountId?: string | undefined
  projectId?: string | undefined
  act?: string | undefined
  /** As an entry names who did it. */
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
export type RejectionSelection = {
  projectId: string
  scopes: string[]
  actor: string
  /** Only entries before the one with this number. */
  beforeSeq?: number | undefined
  limit: number
}

export type AuditReads = {
  /** Newest first. Takes time by `limit` if it is narrowed by an account, times, and at most one of project, act and actor. */
  listAudit: (selection: AuditSelection) => Promise<StoredAuditEntry[]>
  /** The different acts, or actors, of the entries of an account, sorted; at most `limit`. Takes time by their number, not by that of the entries. */
  listAuditValues: (accountId: string, field: 'act' | 'actor', limit: number) => Promise<string[]>
  /**
   * What was done (`record.…`) to any of these targets in a project; with null, what names none, as an act on many records does. Newest first. Time is linear in the number of such entries.
   */
  listRecordActs: (about: { projectId: string; targets: string[] | null; limit: number }) => Promise<StoredAuditEntry[]>
  /** Newest first. Takes time by `limit`, however many rejections of other scopes and actors there are. */
  listRejections: (selection: RejectionSelection) => Promise<StoredAuditEntry[]>
}

export type AuditWrites = {
  /** Entries can be added and purged, never changed. */
  insertAudit: (entry: AuditEntry) => Promise<void>
  /** Erases at most `limit` entries older than the time, oldest first. Returns how many. */
  purgeAudit: (before: number, limit: number) => Promise<number>
}
