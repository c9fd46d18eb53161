import type { AccountReads, AccountWrites, KeyReads, KeyWrites } from './account.ts'
import type { AuditReads, AuditWrites } from './audit.ts'
import type { DailyUseReads, DailyUseWrites } from './daily-use.ts'
import type { EntityReads, EntityWrites } from './entity.ts'
import type { IntegrationReads } from './integration.ts'
import type { OAuthReads } from './oauth.ts'
import type { SignInReads } from './sign-in.ts'

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
