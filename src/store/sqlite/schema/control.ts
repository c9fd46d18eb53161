import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { wholeRow } from './whole-row.ts'

// The control file: accounts, members, projects and keys. Times are milliseconds since 1970.

export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    name: text().notNull().unique(),
    plan: text().notNull(),
    limits: text({ mode: 'json' }).$type<Record<string, number>>().notNull(),
    credentialPolicy: text({ enum: ['reject', 'mask', 'allow'] })
      .notNull()
      .default('reject'),
    markedPolicy: text({ enum: ['caution', 'reject', 'allow'] })
      .notNull()
      .default('caution'),
    subscribedAt: integer(),
    subscribedUntil: integer(),
    suspendedAt: integer(),
    removedAt: integer(),
    createdAt: integer().notNull(),
  },
  (table) => [wholeRow('accounts', table)],
)

export const departments = sqliteTable(
  'departments',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    name: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [wholeRow('departments', table), uniqueIndex('departments_by_name').on(table.accountId, table.name)],
)

export const members = sqliteTable(
  'members',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    email: text().notNull(),
    name: text().notNull(),
    role: text({ enum: ['owner', 'admin', 'member'] }).notNull(),
    departmentId: text(),
    historyAccess: text({ enum: ['unconfirmed', 'confirmed', 'withheld'] })
      .notNull()
      .default('unconfirmed'),
    createdAt: integer().notNull(),
    removedAt: integer(),
  },
  (table) => [
    wholeRow('members', table),
    // Unique within the account only: nobody may learn from a refusal who is a member of another account.
    uniqueIndex('members_by_address').on(table.accountId, table.email).where(sql`removed_at is null`),
    index('members_by_email').on(table.email).where(sql`removed_at is null`),
    index('members_by_account').on(table.accountId),
  ],
)

export const projects = sqliteTable(
  'projects',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    name: text().notNull(),
    createdAt: integer().notNull(),
    /** Set once the project's file was made; from then on a missing file is damage. */
    madeAt: integer(),
    /** The same for the file of its session histories. */
    historyMadeAt: integer(),
    removedAt: integer(),
    credentialRules: text(),
  },
  (table) => [wholeRow('projects', table), uniqueIndex('projects_by_name').on(table.accountId, table.name).where(sql`removed_at is null`)],
)

/** Projects that are opened in the console to a member, who may hold no key of them. */
export const access = sqliteTable('access', { memberId: text().notNull(), projectId: text().notNull() }, (table) => [
  primaryKey({ columns: [table.memberId, table.projectId] }),
])

export const keys = sqliteTable(
  'keys',
  {
    id: text().primaryKey(),
    /** SHA-256 of the whole key, in hexadecimal. */
    digest: text().notNull().unique(),
    /** The first characters after the prefix, for display. */
    shown: text().notNull(),
    label: text().notNull(),
    projectId: text().notNull(),
    memberId: text(),
    toolNames: text({ enum: ['dotted', 'underscored'] }).notNull(),
    readsHistories: integer({ mode: 'boolean' }).notNull().default(true),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    revokedAt: integer(),
    lastUsedAt: integer(),
  },
  (table) => [
    wholeRow('keys', table),
    index('keys_by_project').on(table.projectId, table.createdAt),
    index('keys_by_member').on(table.memberId, table.projectId, table.createdAt),
    // Read with every page of the console; revoked keys only add up.
    index('keys_unrevoked').on(table.memberId, table.projectId, table.expiresAt).where(sql`revoked_at is null`),
    index('keys_unrevoked_by_project').on(table.projectId, table.createdAt).where(sql`revoked_at is null`),
  ],
)
