import type { AccountReads, AccountWrites } from './account.ts'
import type { AuditReads, AuditWrites } from './audit.ts'
import type { DailyUseReads, DailyUseWrites } from './daily-use.ts'
import type { IntegrationReads, IntegrationWrites } from './integration.ts'
import type { KeyReads, KeyWrites } from './key.ts'
import type { OAuthReads, OAuthWrites } from './oauth.ts'
import type { SignInReads, SignInWrites } from './sign-in.ts'

/** What can be read of accounts, keys and what belongs to them. */
export type ControlReads = AccountReads & AuditReads & DailyUseReads & IntegrationReads & KeyReads & OAuthReads & SignInReads

/** What can be read and changed inside a write. An update of an id that does not exist changes nothing. */
export type ControlWrites = ControlReads &
  AccountWrites &
  AuditWrites &
  DailyUseWrites &
  IntegrationWrites &
  KeyWrites &
  OAuthWrites &
  SignInWrites

/** The data that is not of one project: accounts, members, projects, keys, sign-in, OAuth, integrations, the audit log and how often tools were called. */
export type Control = ControlReads & {
  /**
   * A number that is another one after every commit that updated an account, a member, a project, a key, a connection, or an integration or where it is
   * enabled: at once after one by this process; after one by another process as soon as the engine learns of it, within a second. It stays the same when only
   * the audit log, sessions or times of use changed. While two reads of it are equal, cached answers made between them hold, but for what may not be late by
   * a second, such as the end of a key.
   */
  version: () => Promise<number>
  /**
   * Runs an act in a transaction and resolves with its value once that is durable. See `Store` for what an act may rely on.
   * Rejects with what the act throws, and then nothing of it is kept.
   */
  write: <T>(act: (tx: ControlWrites) => Promise<T>) => Promise<T>
}
