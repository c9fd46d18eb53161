import type { Soon } from '../soon.ts'
import type { AccessReads, AccessWrites } from './access.ts'
import type { AddressWishReads, AddressWishWrites } from './address-wish.ts'
import type { AuditReads, AuditWrites } from './audit.ts'
import type { BrowserReads, BrowserWrites } from './browser.ts'
import type { IntegrationReads, IntegrationWrites } from './integration.ts'
import type { InvitationReads, InvitationWrites } from './invitation.ts'
import type { OAuthReads, OAuthWrites } from './oauth.ts'
import type { SessionReads, SessionWrites } from './session.ts'

/** An organization of one or more. Times here and below are milliseconds since 1970. */
export type Account = {
  id: string
  name: string
  plan: string
  /** The operator's overrides of the plan's numbers. */
  limits: Record<string, number>
  /** Null when the account never subscribed. */
  subscribedAt: number | null
  /** End of the paid time; null while it has none. */
  subscribedUntil: number | null
  suspendedAt: number | null
  createdAt: number
}

export type Department = { id: string; accountId: string; name: string; createdAt: number }

export type Role = 'owner' | 'admin' | 'member'

/** A person of an account. */
export type Member = {
  id: string
  accountId: string
  email: string
  name: string
  role: Role
  departmentId: string | null
  createdAt: number
  removedAt: number | null
}

/** The unit of isolation; its records are in a file of their own. */
export type Project = { id: string; accountId: string; name: string; createdAt: number; removedAt: number | null }

/** A credential bound to one project. The key itself is nowhere kept. */
export type Key = {
  id: string
  /** SHA-256 of the whole key, in hexadecimal. */
  digest: string
  /** The first 8 characters after the prefix. */
  shown: string
  label: string
  projectId: string
  memberId: string | null
  toolNames: 'dotted' | 'underscored'
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
}

/** Which keys are read: of one member only, where one is named. `now` in milliseconds since 1970. */
export type KeyPage = { projectId: string; memberId?: string | undefined; now: number; offset: number; limit: number }

/** When a key or a connection was last used. */
export type Use = { id: string; at: number }

/** A key with all that it opens. */
export type KeyHolder = { key: Key; project: Project; account: Account; member: Member | null }

/** Who saved a record, as its readers see it: a member, or a service key by its label. */
export type Author = { id: string; name: string; removedAt: number | null }

/** What can be read of accounts and keys. A `ref` is a name or an id (of a member: e-mail or id). */
export type ControlReads = AccessReads &
  AddressWishReads &
  AuditReads &
  BrowserReads &
  IntegrationReads &
  InvitationReads &
  OAuthReads &
  SessionReads & {
    listAccounts: () => Promise<Account[]>
    findAccount: (ref: string) => Promise<Account | undefined>
    listDepartments: (accountId: string) => Promise<Department[]>
    listMembers: (accountId: string) => Promise<Member[]>
    /** A member not removed, of this account; without one, the first made of every account. */
    findMember: (ref: string, accountId?: string) => Promise<Member | undefined>
    /** At most `limit` members not removed that have this e-mail address or id, of every account, the first made first. */
    findMembers: (ref: string, limit: number) => Promise<Member[]>
    /** Removed ones too. */
    listProjects: (accountId: string) => Promise<Project[]>
    /** Projects not removed, of every account, that bear this name or id. */
    findProjects: (ref: string) => Promise<Project[]>
    listKeys: (projectId: string) => Promise<Key[]>
    /** Keys of every project that a member holds. */
    listKeysOfMember: (memberId: string) => Promise<Key[]>
    /** Ids of the projects that keys of a member open which are neither revoked nor, at this time, expired. */
    listProjectsOfKeys: (memberId: string, now: number) => Promise<string[]>
    /** Keys of a project, those that are neither revoked nor expired first, newest first. Takes time by the page alone, however many are dead. */
    listKeyPage: (page: KeyPage) => Promise<Key[]>
    /** When any key of a member was last used; null where none was. */
    findLastKeyUse: (memberId: string) => Promise<number | null>
    /** How many such keys a member holds of a project. */
    countLiveKeys: (memberId: string, projectId: string, now: number) => Promise<number>
    /** Keys of this id or with these displayed characters. */
    findKeys: (ref: string) => Promise<Key[]>
    /** Kept in memory until anybody changes an account, a member, a project or a key. */
    findKeyHolder: (digest: string) => Soon<KeyHolder | undefined>
    /** Kept likewise. */
    findAuthor: (id: string) => Soon<Author | undefined>
  }

/** What can be changed of accounts and keys, inside a write. */
export type ControlWrites = ControlReads &
  AccessWrites &
  AddressWishWrites &
  AuditWrites &
  BrowserWrites &
  IntegrationWrites &
  InvitationWrites &
  OAuthWrites &
  SessionWrites & {
    insertAccount: (account: Account) => Promise<void>
    updateAccount: (id: string, change: Partial<Omit<Account, 'id'>>) => Promise<void>
    insertDepartment: (department: Department) => Promise<void>
    updateDepartment: (id: string, change: { name: string }) => Promise<void>
    deleteDepartment: (id: string) => Promise<void>
    insertMember: (member: Member) => Promise<void>
    updateMember: (id: string, change: Partial<Omit<Member, 'id' | 'accountId'>>) => Promise<void>
    insertProject: (project: Project) => Promise<void>
    updateProject: (id: string, change: Partial<Pick<Project, 'name' | 'removedAt'>>) => Promise<void>
    insertKey: (key: Key) => Promise<void>
    updateKey: (id: string, change: Partial<Pick<Key, 'label' | 'expiresAt' | 'revokedAt' | 'toolNames'>>) => Promise<void>
    /** Notes when keys were used, unless a later use is noted. What is kept in memory of keys stays. */
    saveKeyUses: (uses: Use[]) => Promise<void>
  }

/** The control file. Reads see what is committed and never wait; writes queue up and are answered after the commit. */
export type Control = ControlReads & {
  /** Another number whenever anybody has changed an account, a member, a project, a key or a connection. */
  version: () => Soon<number>
  write: <T>(act: (tx: ControlWrites) => Promise<T>) => Promise<T>
}
