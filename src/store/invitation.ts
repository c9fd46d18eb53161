import type { Role } from './control.ts'

/** A member to be. Times are milliseconds since 1970. */
export type Invitation = {
  id: string
  /** SHA-256 of the link's token, in hexadecimal. */
  digest: string
  accountId: string
  email: string
  role: Role
  departmentId: string | null
  /** Who made it, as the audit log calls them; null in those made before that was kept. */
  madeBy: string | null
  createdAt: number
  expiresAt: number
}

export type InvitationReads = {
  listInvitations: (accountId: string) => Promise<Invitation[]>
  findInvitation: (digest: string) => Promise<Invitation | undefined>
}

export type InvitationWrites = {
  insertInvitation: (invitation: Invitation) => Promise<void>
  /** Erases those of this address in the account. Returns how many. */
  deleteInvitations: (accountId: string, email: string) => Promise<number>
  deleteInvitationsBy: (madeBy: string) => Promise<void>
}
