import { sql } from 'drizzle-orm'
import type { CredentialPolicy, HistoryAccess, Key, MarkedPolicy, Role } from '../../account.ts'
import type { Kit } from '../../sqlite/schema/kit.ts'

/** Tables of accounts, members, projects and keys. */
export function createAccountTables({
  table,
  text,
  long,
  flag,
  json,
  index,
  uniqueIndex,
  primaryKey,
  madeFiles,
  wholeRow,
}: Kit) {
  return {
    accounts: table(
      'accounts',
      {
        id: text().primaryKey(),
        name: text().notNull().unique(),
        plan: text().notNull(),
        limits: json<Record<string, number>>().notNull(),
        credentialPolicy: text().$type<CredentialPolicy>().notNull().default('reject'),
        markedPolicy: text().$type<MarkedPolicy>().notNull().default('caution'),
        subscribedAt: long(),
        subscribedUntil: long(),
        suspendedAt: long(),
        removedAt: long(),
        createdAt: long().notNull(),
      },
      (own) => wholeRow('accounts', own),
    ),
    departments: table(
      'departments',
      { id: text().primaryKey(), accountId: text().notNull(), name: text().notNull(), createdAt: long().notNull() },
      (own) => [...wholeRow('departments', own), uniqueIndex('departments_by_name').on(own.accountId, own.name)],
    ),
    members: table(
      'members',
      {
        id: text().primaryKey(),
        accountId: text().notNull(),
        email: text().notNull(),
        name: text().notNull(),
        role: text().$type<Role>().notNull(),
        departmentId: text(),
        historyAccess: text().$type<HistoryAccess>().notNull().default('unconfirmed'),
        createdAt: long().notNull(),
        removedAt: long(),
      },
      (own) => [
        ...wholeRow('members', own),
        // Unique within the account only: nobody may learn from a refusal who is a member of another account.
        uniqueIndex('members_by_address').on(own.accountId, own.email).where(sql`removed_at is null`),
        index('members_by_email').on(own.email).where(sql`removed_at is null`),
        index('members_by_account').on(own.accountId),
      ],
    ),
    projects: table(
      'projects',
      {
        id: text().primaryKey(),
        accountId: text().notNull(),
        name: text().notNull(),
        createdAt: long().notNull(),
        removedAt: long(),
        credentialRules: text(),
        keepsQuestions: flag().notNull().default(false),
        ...madeFiles(),
      },
      (own) => [
        ...wholeRow('projects', own),
        uniqueIndex('projects_by_name').on(own.accountId, own.name).where(sql`removed_at is null`),
      ],
    ),
    /** Projects that are opened in the console to a member, who may hold no key of them. */
    access: table('access', { memberId: text().notNull(), projectId: text().notNull() }, (own) => [
      primaryKey({ columns: [own.memberId, own.projectId] }),
    ]),
    keys: table(
      'keys',
      {
        id: text().primaryKey(),
        digest: text().notNull().unique(),
        shown: text().notNull(),
        label: text().notNull(),
        projectId: text().notNull(),
        memberId: text(),
        toolNames: text().$type<Key['toolNames']>().notNull(),
        readsHistories: flag().notNull().default(true),
        createdAt: long().notNull(),
        expiresAt: long(),
        revokedAt: long(),
        lastUsedAt: long(),
      },
      (own) => [
        ...wholeRow('keys', own),
        index('keys_by_project').on(own.projectId, own.createdAt),
        index('keys_by_member').on(own.memberId, own.projectId, own.createdAt),
        index('keys_by_shown').on(own.shown),
        // Read with every page of the console; revoked keys only add up.
        index('keys_unrevoked').on(own.memberId, own.projectId, own.expiresAt).where(sql`revoked_at is null`),
        index('keys_unrevoked_by_project').on(own.projectId, own.createdAt).where(sql`revoked_at is null`),
      ],
    ),
  }
}
