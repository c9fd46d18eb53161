import type { Account, Member } from './control.ts'

/** A person's visit to the console, from signing in to signing out. Times here and below are milliseconds since 1970. */
export type Session = {
  id: string
  /** SHA-256 of the token in the browser's cookie, in hexadecimal. */
  digest: string
  memberId: string
  /** Address it was begun from. */
  origin: string | null
  createdAt: number
  expiresAt: number
}

/** A session with whose it is. */
export type SessionHolder = { session: Session; member: Member; account: Account }

/** A link by which a member comes in once and chooses a password. */
export type EntryLink = {
  /** SHA-256 of the link's token, in hexadecimal. */
  digest: string
  memberId: string
  /** Who made it, as the audit log calls them; null in those made before that was kept. */
  madeBy: string | null
  createdAt: number
  expiresAt: number
}

/** Who may be signing in: a member, their account and the hash of their password. */
export type SignIn = { member: Member; account: Account; passwordHash: string | null }

export type SessionReads = {
  /** The member not removed of this address, of the account of this name or id; without one, of the account that they were made a member of first. */
  findSignIn: (email: string, account: string | undefined) => Promise<SignIn | undefined>
  /** The encoded argon2id hash of a member's password. */
  findPassword: (memberId: string) => Promise<string | undefined>
  findSessionHolder: (digest: string) => Promise<SessionHolder | undefined>
  /** Ended ones too, newest first. */
  listSessions: (memberId: string) => Promise<Session[]>
  findEntryLink: (digest: string) => Promise<EntryLink | undefined>
}

export type SessionWrites = {
  /** Sets a member's password, or replaces it. */
  savePassword: (memberId: string, hash: string) => Promise<void>
  insertSession: (session: Session) => Promise<void>
  /** Deletes all sessions of a member but the `most` that were begun last. */
  keepSessions: (memberId: string, most: number) => Promise<void>
  deleteSession: (id: string) => Promise<void>
  deleteSessions: (memberId: string) => Promise<void>
  insertEntryLink: (link: EntryLink) => Promise<void>
  deleteEntryLinks: (memberId: string) => Promise<void>
  deleteEntryLinksBy: (madeBy: string) => Promise<void>
  /** Erases sessions and links that expired before the time. */
  purgeSessions: (before: number) => Promise<void>
}
