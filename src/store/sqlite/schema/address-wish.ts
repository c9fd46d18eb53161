import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Addresses that members want in place of their present ones, until somebody who manages the account decides. */
export const addressWishes = sqliteTable('address_wishes', {
  memberId: text().primaryKey(),
  email: text().notNull(),
  /** Milliseconds since 1970. */
  wishedAt: integer().notNull(),
})
