import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Members to be, until they follow the link they were sent. Times are milliseconds since 1970. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    /** SHA-256 of the link's token, in hexadecimal. */
    digest: text().notNull().unique(),
    accountId: text().notNull(),
    email: text().notNull(),
    role: text({ enum: ['owner', 'admin', 'member'] }).notNull(),
    departmentId: text(),
    madeBy: text(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [index('invitations_by_account').on(table.accountId)],
)
