import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Contents that people of the account let pass the guard, by SHA-256 in hexadecimal. */
export const allowed = sqliteTable('allowed', { hash: text().primaryKey(), allowedAt: integer().notNull() })
