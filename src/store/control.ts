import type {
  Account,
  AccountReads,
  AccountWrites,
  Department,
  Key,
  KeyReads,
  KeyWrites,
  Member,
  Project,
} from './account.ts'
import type { AuditPlace, AuditReads, AuditWrites, StoredAuditEntry } from './audit.ts'
import type { CallError, DailyUse, DailyUseReads, DailyUseWrites } from './daily-use.ts'
import type { Integration, IntegrationReads, ToolList } from './integration.ts'
import type { Connection, Grant, OAuthClient, OAuthReads } from './oauth.ts'
import type { Browser, EmailChange, EntryLink, Invitation, Session, SignInReads, Undo } from './sign-in.ts'

/** What control data consists of, by name. */
export type Entities = {
  accounts: Account
  departments: Department
  members: Member
  projects: Project
  /** Projects that are opened in the console to a member, whether or not they hold a key of them. */
  access: { memberId: string; projectId: string }
  keys: Key
  /** Encoded argon2id hashes. */
  passwords: { memberId: string; hash: string }
  sessions: Session
  entryLinks: EntryLink
  invitations: Invitation
  emailChanges: EmailChange
  browsers: Browser
  undos: Undo
  oauthClients: OAuthClient
  grants: Grant
  connections: Connection
  integrations: Integration
  enabledIntegrations: { integrationId: string; projectId: string }
  toolLists: ToolList
  audit: StoredAuditEntry
  dailyUse: DailyUse
  callErrors: CallError
}

export type Entity = keyof Entities

/**
 * A condition on a column: equal to a value, null, or any of a list; `before`: less than; `after`: greater than, or null
 * (never); `from` to `until`: from the first, inclusive, to the second, exclusive, each optional.
 */
type Condition<Value> =
  | Value
  | (Value extends string ? string[] : never)
  | (Value extends number
      ? { before: number } | { after: number } | { from?: number | undefined; until?: number | undefined }
      : never)

/** Conditions on the fields of an entity, which all hold; an omitted one does not restrict. */
export type Filter<Name extends Entity> = {
  [Field in keyof Entities[Name]]?: Condition<Entities[Name][Field]> | undefined
}

/**
 * Which rows of a list: sorted by a field, then as usual, which is oldest first, departments by name and integrations
 * by slug, both in order of code points. Those without a value in the field are last. `before`: only rows before this
 * place in the order of time and number, for entities that have both.
 */
export type Page<Name extends Entity> = {
  by?: keyof Entities[Name]
  newestFirst?: boolean
  before?: AuditPlace | undefined
  offset?: number
  limit?: number
}

export type EntityReads = {
  /** The first row that meets the conditions. */
  find: <Name extends Entity>(entity: Name, filter: Filter<Name>) => Promise<Entities[Name] | undefined>
  list: <Name extends Entity>(entity: Name, filter: Filter<Name>, page?: Page<Name>) => Promise<Entities[Name][]>
  count: <Name extends Entity>(entity: Name, filter: Filter<Name>) => Promise<number>
}

/** A row before the store has given it its number. */
type New<Row> = Row extends { seq: number } ? Omit<Row, 'seq'> : Row

/**
 * The control version counts changes and deletions of accounts, members, projects, keys, connections and integrations,
 * and which of these are enabled.
 */
export type EntityWrites = {
  /** Inserts one row, or several at once. Fails if the id or anything else that is unique is taken. */
  insert: <Name extends Entity>(entity: Name, rows: New<Entities[Name]> | New<Entities[Name]>[]) => Promise<void>
  /** Inserts a row, or replaces the one with its id except for the fields of `kept`. */
  save: <Name extends Entity>(entity: Name, row: Entities[Name], kept?: (keyof Entities[Name])[]) => Promise<void>
  /** Changes every row that meets the conditions; there must be at least one condition. */
  update: <Name extends Entity>(entity: Name, filter: Filter<Name>, change: Partial<Entities[Name]>) => Promise<void>
  /**
   * Erases every row that meets the conditions (at least one condition); with a limit, the first of these. Returns how
   * many.
   */
  delete: <Name extends Entity>(entity: Name, filter: Filter<Name>, limit?: number) => Promise<number>
}

/** Reads of accounts, keys and what belongs to them. */
export type ControlReads = EntityReads &
  AccountReads &
  AuditReads &
  DailyUseReads &
  IntegrationReads &
  KeyReads &
  OAuthReads &
  SignInReads

/** Reads and changes inside a write. */
export type ControlWrites = ControlReads & EntityWrites & AccountWrites & AuditWrites & DailyUseWrites & KeyWrites

/**
 * The data outside of projects: accounts, members, projects, keys, sign-in, OAuth, integrations, the audit log and the
 * use of tools.
 */
export type Control = ControlReads & {
  /**
   * A number that changes with every commit that updates an account, a member, a project, a key, a connection, an
   * integration or the projects it is enabled for: immediately for commits of this process, and within a second for
   * those of other processes. It does not change if only the audit log, sessions or times of use change. While two
   * reads of it are equal, answers cached between them are valid, except for what must not be a second late, such as
   * the end of a key.
   */
  version: () => Promise<number>
  /**
   * Runs `act` in a transaction and resolves with its value once that is durable. See `Store` for what an act may rely
   * on. Rejects with what the act throws, after rolling everything back.
   */
  write: <T>(act: (tx: ControlWrites) => Promise<T>) => Promise<T>
  /**
   * Removes what the storage still has of erased rows in files of its own. Where others keep the files, as a database
   * does, they erase it in their time.
   */
  scrub: () => Promise<void>
}
