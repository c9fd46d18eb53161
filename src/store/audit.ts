/** One line of the audit log: who did what, when, to what, from where, and what came of it. Never content, keys or headers. */
export type AuditEntry = {
  /** Milliseconds since 1970. */
  at: number
  accountId: string | null
  projectId: string | null
  /** `member:<id>`, `key:<id>`, `operator`, or `unknown` where nobody was recognised. */
  actor: string
  /** Noun and verb: `key.issue`, `record.restore`. */
  act: string
  /** Id or name of what it was done to. */
  target: string | null
  /** Address it came from, `command line` or `first run`. */
  origin: string | null
  outcome: 'done' | 'refused' | 'failed'
  details: Record<string, string | number | boolean | null>
}

/** Which lines are read, newest first. */
export type AuditSelection = {
  accountId?: string | undefined
  projectId?: string | undefined
  act?: string | undefined
  beforeSeq?: number | undefined
  limit: number
}

/** Which rejections by the guard are read, newest first: those of records that were to have one of these scopes, and all of one actor. */
export type RejectionSelection = {
  projectId: string
  scopes: string[]
  actor: string
  beforeSeq?: number | undefined
  limit: number
}

export type AuditReads = {
  listAudit: (selection: AuditSelection) => Promise<(AuditEntry & { seq: number })[]>
  /** Takes time by `limit` alone, however many others there are. */
  listRejections: (selection: RejectionSelection) => Promise<(AuditEntry & { seq: number })[]>
}

export type AuditWrites = {
  insertAudit: (entry: AuditEntry) => Promise<void>
  /** Erases at most `limit` lines older than the time, in milliseconds since 1970. Returns how many. */
  purgeAudit: (before: number, limit: number) => Promise<number>
}
