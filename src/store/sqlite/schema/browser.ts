import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Browsers in which a member signed in before, by the SHA-256 of the token in their cookie, in hexadecimal. Times are milliseconds since 1970. */
export const browsers = sqliteTable(
  'browsers',
  { digest: text().primaryKey(), memberId: text().notNull(), usedAt: integer().notNull() },
  (table) => [index('browsers_by_member').on(table.memberId, table.usedAt), index('browsers_by_use').on(table.usedAt)],
)
