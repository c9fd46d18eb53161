import type { Account, Member, Role } from './account.ts'

/** A signed-in session of a person in the console. */
export type Session = {
  id: string
  /** SHA-256 of the token in the browser's cookie, in hexadecimal; unique. */
  digest: string
  memberId: string
  /** IP address it was begun from; null if that is unknown. */
  clientIp: string | null
  /**
   * Browser and system as the browser names them, such as `Firefox on Windows`; null if it names none.
   */
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
  /** The actor who made it, as in the audit log; null if that is not known. */
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
  /** Projects that are opened to the invited person when they join; those removed until then are not. */
  projectIds: string[]
  /** The actor who made it, as in the audit log; null if that is not known. */
  madeBy: string | null
  createdAt: number
  expiresAt: number
}

/** A member's request for another e-mail address. */
export type EmailChange = { memberId: string; email: string; requestedAt: number }

/** A browser in which a member signed in before; `digest` is the SHA-256 of the token in its cookie, in hexadecimal. */
export type Browser = { digest: string; memberId: string; usedAt: number }

/**
 * A form that takes back what a member did: where it is posted, and its fields. Kept here, so that it may name more than
 * a page can hold and nobody else can make it up.
 */
export type Undo = {
  id: string
  memberId: string
  action: string
  fields: [name: string, value: string][]
  createdAt: number
}

export type SignInReads = {
  /** An expired session and one of a removed member too. */
  findSessionHolder: (digest: string) => Promise<SessionHolder | undefined>
}
