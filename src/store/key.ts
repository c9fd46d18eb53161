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
