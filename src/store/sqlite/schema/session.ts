import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// How people come into the console. Times are milliseconds since 1970; digests are SHA-256 in hexadecimal.

export const passwords = sqliteTable('passwords', { memberId: text().primaryKey(), hash: text().notNull() })

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    digest: text().notNull().unique(),
    memberId: text().notNull(),
    origin: text(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [index('sessions_by_member').on(table.memberId)],
)

export const entryLinks = sqliteTable('entry_links', {
  digest: text().primaryKey(),
  memberId: text().notNull(),
  madeBy: text(),
  createdAt: integer().notNull(),
  expiresAt: integer().notNull(),
})
