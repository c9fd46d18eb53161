import type { Role } from '../../account.ts'
import type { Undo } from '../../sign-in.ts'
import type { Kit } from '../../sqlite/schema/kit.ts'

/** Tables of how people get into the console, and of what they can take back there. Digests are SHA-256 in hexadecimal. */
export function createSignInTables({ table, text, long, json, index, wholeRow }: Kit) {
  return {
    passwords: table('passwords', { memberId: text().primaryKey(), hash: text().notNull() }, (own) =>
      wholeRow('passwords', own),
    ),
    sessions: table(
      'sessions',
      {
        id: text().primaryKey(),
        digest: text().notNull().unique(),
        memberId: text().notNull(),
        clientIp: text(),
        device: text(),
        createdAt: long().notNull(),
        expiresAt: long().notNull(),
      },
      (own) => [
        ...wholeRow('sessions', own),
        index('sessions_by_member').on(own.memberId),
        index('sessions_by_end').on(own.expiresAt),
      ],
    ),
    entryLinks: table(
      'entry_links',
      {
        digest: text().primaryKey(),
        memberId: text().notNull(),
        madeBy: text(),
        createdAt: long().notNull(),
        expiresAt: long().notNull(),
      },
      (own) => wholeRow('entry_links', own),
    ),
    invitations: table(
      'invitations',
      {
        id: text().primaryKey(),
        digest: text().notNull().unique(),
        accountId: text().notNull(),
        email: text().notNull(),
        role: text().$type<Role>().notNull(),
        departmentId: text(),
        projectIds: json<string[]>().notNull(),
        madeBy: text(),
        createdAt: long().notNull(),
        expiresAt: long().notNull(),
      },
      (own) => [...wholeRow('invitations', own), index('invitations_by_account').on(own.accountId)],
    ),
    emailChanges: table(
      'email_changes',
      { memberId: text().primaryKey(), email: text().notNull(), requestedAt: long().notNull() },
      (own) => wholeRow('email_changes', own),
    ),
    browsers: table(
      'browsers',
      { digest: text().primaryKey(), memberId: text().notNull(), usedAt: long().notNull() },
      (own) => [
        ...wholeRow('browsers', own),
        index('browsers_by_member').on(own.memberId, own.usedAt),
        index('browsers_by_use').on(own.usedAt),
      ],
    ),
    undos: table(
      'undos',
      {
        id: text().primaryKey(),
        memberId: text().notNull(),
        action: text().notNull(),
        fields: json<Undo['fields']>().notNull(),
        createdAt: long().notNull(),
      },
      // Those that are too old are erased.
      (own) => [...wholeRow('undos', own), index('undos_by_time').on(own.createdAt)],
    ),
  }
}
