import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { wholeRow } from './whole-row.ts'

// How people get into the console. Times are milliseconds since 1970; digests are SHA-256 in hexadecimal.

export const passwords = sqliteTable('passwords', { memberId: text().primaryKey(), hash: text().notNull() }, (table) => [
  wholeRow('passwords', table),
])

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    digest: text().notNull().unique(),
    memberId: text().notNull(),
    clientIp: text('origin'),
    device: text(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [wholeRow('sessions', table), index('sessions_by_member').on(table.memberId)],
)

export const entryLinks = sqliteTable(
  'entry_links',
  {
    digest: text().primaryKey(),
    memberId: text().notNull(),
    madeBy: text(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [wholeRow('entry_links', table)],
)

export const invitations = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    digest: text().notNull().unique(),
    accountId: text().notNull(),
    email: text().notNull(),
    role: text({ enum: ['owner', 'admin', 'member'] }).notNull(),
    departmentId: text(),
    madeBy: text(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [wholeRow('invitations', table), index('invitations_by_account').on(table.accountId)],
)

export const emailChanges = sqliteTable(
  'address_wishes',
  {
    memberId: text().primaryKey(),
    email: text().notNull(),
    requestedAt: integer('wished_at').notNull(),
  },
  (table) => [wholeRow('address_wishes', table)],
)

export const browsers = sqliteTable(
  'browsers',
  { digest: text().primaryKey(), memberId: text().notNull(), usedAt: integer().notNull() },
  (table) => [
    wholeRow('browsers', table),
    index('browsers_by_member').on(table.memberId, table.usedAt),
    index('browsers_by_use').on(table.usedAt),
  ],
)
