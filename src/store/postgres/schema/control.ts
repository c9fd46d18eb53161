import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { CredentialPolicy, HistoryAccess, MarkedPolicy, Role } from '../../account.ts'
import type { Key } from '../../key.ts'
import { exactText, json, time } from './types.ts'

// Accounts, members, projects and keys. The same tables as those of the embedded engine's control file.

export const accounts = pgTable('accounts', {
  id: exactText().primaryKey(),
  name: exactText().notNull().unique(),
  plan: exactText().notNull(),
  limits: json<Record<string, number>>().notNull(),
  credentialPolicy: exactText().$type<CredentialPolicy>().notNull().default('reject'),
  markedPolicy: exactText().$type<MarkedPolicy>().notNull().default('caution'),
  subscribedAt: time(),
  subscribedUntil: time(),
  suspendedAt: time(),
  removedAt: time(),
  createdAt: time().notNull(),
})

export const departments = pgTable(
  'departments',
  { id: exactText().primaryKey(), accountId: exactText().notNull(), name: exactText().notNull(), createdAt: time().notNull() },
  (table) => [uniqueIndex('departments_by_name').on(table.accountId, table.name)],
)

export const members = pgTable(
  'members',
  {
    id: exactText().primaryKey(),
    accountId: exactText().notNull(),
    email: exactText().notNull(),
    name: exactText().notNull(),
    role: exactText().$type<Role>().notNull(),
    departmentId: exactText(),
    historyAccess: exactText().$type<HistoryAccess>().notNull().default('unconfirmed'),
    createdAt: time().notNull(),
    removedAt: time(),
  },
  (table) => [
    uniqueIndex('members_by_address').on(table.accountId, table.email).where(sql`removed_at is null`),
    index('members_by_email').on(table.email).where(sql`removed_at is null`),
  ],
)

export const projects = pgTable(
  'projects',
  {
    id: exactText().primaryKey(),
    accountId: exactText().notNull(),
    name: exactText().notNull(),
    createdAt: time().notNull(),
    removedAt: time(),
    credentialRules: exactText(),
  },
  (table) => [uniqueIndex('projects_by_name').on(table.accountId, table.name).where(sql`removed_at is null`)],
)

/** Projects that are opened in the console to a member, who may hold no key of them. */
export const access = pgTable('access', { memberId: exactText().notNull(), projectId: exactText().notNull() }, (table) => [
  primaryKey({ columns: [table.memberId, table.projectId] }),
])

export const keys = pgTable(
  'keys',
  {
    id: exactText().primaryKey(),
    digest: exactText().notNull().unique(),
    shown: exactText().notNull(),
    label: exactText().notNull(),
    projectId: exactText().notNull(),
    memberId: exactText(),
    toolNames: exactText().$type<Key['toolNames']>().notNull(),
    readsHistories: boolean().notNull().default(true),
    createdAt: time().notNull(),
    expiresAt: time(),
    revokedAt: time(),
    lastUsedAt: time(),
  },
  (table) => [
    index('keys_by_project').on(table.projectId, table.createdAt),
    index('keys_by_member').on(table.memberId, table.projectId, table.createdAt),
    index('keys_by_shown').on(table.shown),
  ],
)

/** One row: the control version. */
export const controlVersion = pgTable('control_version', { one: boolean().primaryKey(), version: time().notNull() })
