/**
 * How a record that contains a credential is handled: refused, saved with the credentials masked, or saved as it is.
 */
export type CredentialPolicy = 'reject' | 'mask' | 'allow'

/**
 * How a record that the guard marks is handled: saved with a caution until a person verifies it, refused, or saved
 * without one.
 */
export type MarkedPolicy = 'caution' | 'reject' | 'allow'

/** An organization of one or more people. All times of the store are milliseconds since 1970. */
export type Account = {
  id: string
  /** Unique among all accounts. */
  name: string
  plan: string
  /** Limits that override those of the plan, set by the operator. */
  limits: Record<string, number>
  credentialPolicy: CredentialPolicy
  markedPolicy: MarkedPolicy
  /** Null when the account never subscribed. */
  subscribedAt: number | null
  /** End of the paid time; null while there is none. */
  subscribedUntil: number | null
  /** Also set while the account is removed. */
  suspendedAt: number | null
  /** When it was removed; it can be restored for a time, and is erased then. */
  removedAt: number | null
  createdAt: number
}

/** A department of an account. Its name is unique in the account. */
export type Department = { id: string; accountId: string; name: string; createdAt: number }

export type Role = 'owner' | 'admin' | 'member'

/**
 * Whether a member who is signed in sees the session histories they uploaded: once it was `confirmed` on a machine that
 * uploads them, until then not (`unconfirmed`). It is `withheld` since somebody else made the link by which the
 * password was set, and so may know the password.
 */
export type HistoryAccess = 'unconfirmed' | 'confirmed' | 'withheld'

/**
 * A person of an account. The e-mail address is in lower case and unique among the members of the account that are not
 * removed.
 */
export type Member = {
  id: string
  accountId: string
  email: string
  name: string
  role: Role
  departmentId: string | null
  historyAccess: HistoryAccess
  createdAt: number
  removedAt: number | null
}

/** The unit of isolation. Its name is unique among the projects of the account that are not removed. */
export type Project = {
  id: string
  accountId: string
  name: string
  createdAt: number
  removedAt: number | null
  /**
   * Version of the rules that everything in the project was searched for credentials by, when it was saved or later;
   * null if that is not known.
   */
  credentialRules: string | null
  /** Whether questions that no record answered are kept. */
  keepsQuestions: boolean
}

/** The author of a record as its readers see them: a member, or a service key by its label. */
export type Author = { id: string; name: string; removedAt: number | null }

export type AccountReads = {
  /**
   * At most `limit` members who are not removed, of every account that is not, with this id or e-mail address (in any
   * case); oldest first.
   */
  findMembers: (ref: string, limit: number) => Promise<Member[]>
  /** Projects with this id or name that are not removed, of every account that is not, in no particular order. */
  findProjects: (ref: string) => Promise<Project[]>
  /**
   * Those of the ids that are of members, removed or not, or service keys, in no particular order: one read, however
   * many ids. The engine may answer from memory.
   */
  findAuthors: (ids: string[]) => Promise<Author[]>
  /**
   * Members of an account, removed or not, and keys of its projects with this name (ASCII letters in any case), in no
   * particular order.
   */
  findAuthorsNamed: (accountId: string, name: string) => Promise<Author[]>
}

export type AccountWrites = {
  /**
   * Erases at most `limit` rows of an account, outside of its projects, and the account itself last. Returns how many;
   * fewer than `limit` once nothing is left.
   */
  eraseAccount: (id: string, limit: number) => Promise<number>
}

/** A credential bound to one project. The key itself is not stored. */
export type Key = {
  id: string
  /** SHA-256 of the whole key, in hexadecimal; unique. */
  digest: string
  /** The first 8 characters after the prefix, for display. */
  shown: string
  label: string
  projectId: string
  /** Null for a service key, which belongs to no member. */
  memberId: string | null
  toolNames: 'dotted' | 'underscored'
  /** Whether session histories that its holder uploaded can be read with it, and not only uploaded. */
  readsHistories: boolean
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
}

/** A key with its project, account and holder. */
export type KeyHolder = { key: Key; project: Project; account: Account; member: Member | null }

/**
 * A page of the keys of a project, of one member only if one is named. A key is live at `now` when it is neither
 * revoked nor expired.
 */
type KeyPage = { projectId: string; memberId?: string | undefined; now: number; offset: number; limit: number }

/** When a key or a connection was last used. */
export type Use = { id: string; at: number }

export type KeyReads = {
  /**
   * A key, live or not, by its digest or id. The engine may answer from memory, never with what was true before the
   * last commit.
   */
  findKeyHolder: (key: { digest: string } | { id: string }) => Promise<KeyHolder | undefined>
  /**
   * Live keys first, newest first; then the others, newest first. Time is linear in the size of the page, whatever the
   * number of other keys.
   */
  listKeyPage: (page: KeyPage) => Promise<Key[]>
}

export type KeyWrites = {
  /** Sets when keys or connections were last used, unless a later time is set. Does not change the control version. */
  saveUses: (of: 'keys' | 'connections', uses: Use[]) => Promise<void>
}
