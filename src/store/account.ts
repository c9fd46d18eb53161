/** How a record that contains a credential is handled: refused, saved with the credentials masked, or saved as it is. */
export type CredentialPolicy = 'reject' | 'mask' | 'allow'

/** How a record that the guard marks is handled: saved with a caution until a person verifies it, refused, or saved without one. */
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
 * Whether a member who is signed in sees the session histories they uploaded: once it was `confirmed` on a machine that uploads them, until then not
 * (`unconfirmed`). It is `withheld` since somebody else made the link by which the password was set, and so may know the password.
 */
export type HistoryAccess = 'unconfirmed' | 'confirmed' | 'withheld'

/** A person of an account. The e-mail address is in lower case and unique among the members of the account that are not removed. */
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
  /** Version of the rules that everything in the project was searched for credentials by, when it was saved or later; null if that is not known. */
  credentialRules: string | null
}

/** The author of a record as its readers see them: a member, or a service key by its label. */
export type Author = { id: string; name: string; removedAt: number | null }

/** A `ref` is a name or an id; of a member it is an e-mail address (in any case) or an id. */
export type AccountReads = {
  /** Every account, removed ones too, oldest first. */
  listAccounts: () => Promise<Account[]>
  /** A removed one too. */
  findAccount: (ref: string) => Promise<Account | undefined>
  /** By name, in order of code points. */
  listDepartments: (accountId: string) => Promise<Department[]>
  /** Removed ones too, oldest first. */
  listMembers: (accountId: string) => Promise<Member[]>
  /** Removed ones too. */
  countMembers: (accountId: string) => Promise<number>
  /** A member who is not removed, of this account. Without an account the oldest of every account that is not removed. */
  findMember: (ref: string, accountId?: string) => Promise<Member | undefined>
  /** At most `limit` members who are not removed, of every account that is not, oldest first. */
  findMembers: (ref: string, limit: number) => Promise<Member[]>
  /** Removed ones too, oldest first. */
  listProjects: (accountId: string) => Promise<Project[]>
  /** Projects that are not removed, of every account that is not, in no particular order. */
  findProjects: (ref: string) => Promise<Project[]>
  /** Ids of the projects that are opened in the console to a member, whether or not they hold a key of them; in no particular order. */
  listAccess: (memberId: string) => Promise<string[]>
  /** A member, removed or not, or a service key with this id. The engine may answer from a cache, but never with data from before the last commit. */
  findAuthor: (id: string) => Promise<Author | undefined>
  /** Those of the ids that are known, in no particular order: one read, however many ids. */
  findAuthors: (ids: string[]) => Promise<Author[]>
  /** Members of an account, removed or not, and keys of its projects with this name (ASCII letters in any case), in no particular order. */
  findAuthorsNamed: (accountId: string, name: string) => Promise<Author[]>
}

export type AccountWrites = {
  /** Fails if the id or the name is taken. */
  insertAccount: (account: Account) => Promise<void>
  updateAccount: (id: string, change: Partial<Omit<Account, 'id'>>) => Promise<void>
  /**
   * Erases at most `limit` rows of an account, outside of its projects, and the account itself last. Returns how many; fewer than `limit` once nothing is left.
   */
  eraseAccount: (id: string, limit: number) => Promise<number>
  /** Fails if the account has a department of this name. */
  insertDepartment: (department: Department) => Promise<void>
  updateDepartment: (id: string, change: { name: string }) => Promise<void>
  /** Does not change the members who are in it. */
  deleteDepartment: (id: string) => Promise<void>
  /** Fails if a member of the account who is not removed has this e-mail address. */
  insertMember: (member: Member) => Promise<void>
  updateMember: (id: string, change: Partial<Omit<Member, 'id' | 'accountId'>>) => Promise<void>
  /** Fails if the account has a project of this name that is not removed. */
  insertProject: (project: Project) => Promise<void>
  updateProject: (id: string, change: Partial<Pick<Project, 'name' | 'removedAt' | 'credentialRules'>>) => Promise<void>
  /** Opens a project to a member; does nothing if it is open already. */
  allowAccess: (projectId: string, memberId: string) => Promise<void>
  /** Does nothing if it is not open. */
  endAccess: (projectId: string, memberId: string) => Promise<void>
}
