import type { Account, Member, Role } from './account.ts'

/** A signed-in session of a person in the console. */
export type Session = {
  id: string
  /** SHA-256 of the token in the browser's cookie, in hexadecimal; unique. */
  digest: string
  memberId: string
  /** IP address it was begun from; null if that is unknown. */
  clientIp: string | null
  /** Browser and system as the browser names them, such as `Firefox on Windows`; null if it names none, and in sessions from before this was stored. */
  device: string | null
  createdAt: number
  expiresAt: number
}

/** A session with its member and account. */
export type SessionHolder = { session: Session; member: Member; account: Account }

/** A link that lets a member in once, to choose a password. */
export type EntryLink = {
  /** SHA-256 of the link's token, in hexadecimal; unique. */
  digest: string
  memberId: string
  /** The actor who made it, as in the audit log; null in links made before that was recorded. */
  madeBy: string | null
  createdAt: number
  expiresAt: number
}

/** An invitation to become a member. */
export type Invitation = {
  id: string
  /** SHA-256 of the link's token, in hexadecimal; unique. */
  digest: string
  accountId: string
  email: string
  role: Role
  departmentId: string | null
  /** The actor who made it, as in the audit log; null in invitations made before that was recorded. */
  madeBy: string | null
  createdAt: number
  expiresAt: number
}

/** A member's request for another e-mail address. */
export type EmailChange = { memberId: string; email: string; requestedAt: number }

/** What a sign-in is checked against: a member, their account and the encoded argon2id hash of the password, null if none is set. */
export type SignIn = { member: Member; account: Account; passwordHash: string | null }

/** A browser in which a member signed in before; `digest` is the SHA-256 of the token in its cookie, in hexadecimal. */
export type Browser = { digest: string; memberId: string; usedAt: number }

export type SignInReads = {
  /** The member with this e-mail address who is not removed, of the account with this name or id; without an account, the oldest such member. */
  findSignIn: (email: string, account: string | undefined) => Promise<SignIn | undefined>
  /** The encoded argon2id hash of a member's password. */
  findPassword: (memberId: string) => Promise<string | undefined>
  /** An expired session and one of a removed member too. */
  findSessionHolder: (digest: string) => Promise<SessionHolder | undefined>
  /** Expired ones too, newest first. */
  listSessions: (memberId: string) => Promise<Session[]>
  /** An expired one too. */
  findEntryLink: (digest: string) => Promise<EntryLink | undefined>
  /** Expired ones too, oldest first. */
  listInvitations: (accountId: string) => Promise<Invitation[]>
  /** An expired one too. */
  findInvitation: (digest: string) => Promise<Invitation | undefined>
  findEmailChange: (memberId: string) => Promise<EmailChange | undefined>
  /** At most `limit` requests of the members of an account who are not removed, oldest first. */
  listEmailChanges: (accountId: string, limit: number) => Promise<EmailChange[]>
  /** Id of the member who signed in with this browser last. */
  findBrowserMember: (digest: string) => Promise<string | undefined>
}

export type SignInWrites = {
  /** Sets a member's password hash, or replaces it. */
  savePassword: (memberId: string, hash: string) => Promise<void>
  insertSession: (session: Session) => Promise<void>
  /** Erases all sessions of a member but the `limit` newest. */
  keepSessions: (memberId: string, limit: number) => Promise<void>
  deleteSession: (id: string) => Promise<void>
  deleteSessions: (memberId: string) => Promise<void>
  insertEntryLink: (link: EntryLink) => Promise<void>
  /** Erases a member's links, except those that `except` made. */
  deleteEntryLinks: (memberId: string, kept?: { except: string }) => Promise<void>
  /** Erases the links an actor made. */
  deleteEntryLinksBy: (madeBy: string) => Promise<void>
  /** Erases sessions and links that expired at the time or before it. */
  purgeSessions: (before: number) => Promise<void>
  insertInvitation: (invitation: Invitation) => Promise<void>
  /** Erases the invitations of this e-mail address in the account. Returns how many. */
  deleteInvitations: (accountId: string, email: string) => Promise<number>
  /** Erases the invitations an actor made. */
  deleteInvitationsBy: (madeBy: string) => Promise<void>
  /** Sets what address a member requests, or replaces it. */
  saveEmailChange: (change: EmailChange) => Promise<void>
  deleteEmailChange: (memberId: string) => Promise<void>
  /** Sets when a browser was last used, and erases all browsers of its member but the `limit` used last. A known browser keeps its member. */
  saveBrowser: (browser: Browser, limit: number) => Promise<void>
  deleteBrowsers: (memberId: string) => Promise<void>
  /** Erases browsers last used before the time. */
  purgeBrowsers: (before: number) => Promise<void>
}
