/** One entry of the audit log: who did what to what, when, from where, and with which outcome. Never holds content, keys or headers. */
export type AuditEntry = {
  at: number
  accountId: string | null
  projectId: string | null
  /** `member:<id>`, `key:<id>`, `operator`, or `unknown` where nobody was authenticated. */
  actor: string
  /** Noun and verb: `key.issue`, `record.restore`. */
  act: string
  /** Id or name of what it was done to. */
  target: string | null
  /** IP address of the client, `command line` or `first run`. */
  via: string | null
  outcome: 'done' | 'refused' | 'failed'
  details: Record<string, string | number | boolean | null>
}

/** An entry with its number: a later entry has a larger one. */
export type StoredAuditEntry = AuditEntry & { seq: number }

/** Conditions on entries; one that is left out does not narrow. */
export type AuditSelection = {
  accountId?: string | undefined
  projectId?: string | undefined
  act?: string | undefined
  /** Only entries before the one with this number. */
  beforeSeq?: number | undefined
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
  /** Newest first. */
  listAudit: (selection: AuditSelection) => Promise<StoredAuditEntry[]>
  /** Newest first. Takes time by `limit`, however many rejections of other scopes and actors there are. */
  listRejections: (selection: RejectionSelection) => Promise<StoredAuditEntry[]>
}

export type AuditWrites = {
  /** Entries can be added and purged, never changed. */
  insertAudit: (entry: AuditEntry) => Promise<void>
  /** Erases at most `limit` entries older than the time, oldest first. Returns how many. */
  purgeAudit: (before: number, limit: number) => Promise<number>
}
