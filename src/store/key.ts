import type { Account, Member, Project } from './account.ts'

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

/** A page of the keys of a project, of one member only if one is named. A key is live at `now` when it is neither revoked nor expired. */
export type KeyPage = { projectId: string; memberId?: string | undefined; now: number; offset: number; limit: number }

/** When a key or a connection was last used. */
export type Use = { id: string; at: number }

export type KeyReads = {
  /** The key with this digest, live or not. The engine may answer from memory, never with what was true before the last commit. */
  findKeyHolder: (digest: string) => Promise<KeyHolder | undefined>
  /** The same by the id of the key. */
  findHolderOfKey: (keyId: string) => Promise<KeyHolder | undefined>
  /** Keys with this id or these displayed characters, in no particular order. */
  findKeys: (ref: string) => Promise<Key[]>
  /** Those of the ids that are ids of keys, of any account, in no particular order. */
  listKeysById: (ids: string[]) => Promise<Key[]>
  /** Every key of a project, oldest first. */
  listKeys: (projectId: string) => Promise<Key[]>
  /** Every key of every project of an account, oldest first: one read, however many projects. */
  listKeysOfAccount: (accountId: string) => Promise<Key[]>
  /** Every key a member holds, of every project, oldest first. */
  listKeysOfMember: (memberId: string) => Promise<Key[]>
  /** Live keys first, newest first; then the others, newest first. Time is linear in the size of the page, whatever the number of other keys. */
  listKeyPage: (page: KeyPage) => Promise<Key[]>
  /** At most `limit` live keys of a project, of one member only if one is named: the one used last first, those never used last. */
  listKeysByUse: (keys: Omit<KeyPage, 'offset'>) => Promise<Key[]>
  /** Ids of the projects that a member holds a live key of, each once. */
  listProjectsOfKeys: (memberId: string, now: number) => Promise<string[]>
  countLiveKeys: (memberId: string, projectId: string, now: number) => Promise<number>
  /** When any key of a member was last used; null where none was. */
  findLastKeyUse: (memberId: string) => Promise<number | null>
}

export type KeyWrites = {
  /** Fails if the id or the digest is taken. */
  insertKey: (key: Key) => Promise<void>
  updateKey: (id: string, change: Partial<Pick<Key, 'label' | 'expiresAt' | 'revokedAt' | 'toolNames' | 'readsHistories'>>) => Promise<void>
  /** Sets when keys were last used, unless a later time is set. Does not change the control version. */
  saveKeyUses: (uses: Use[]) => Promise<void>
}
