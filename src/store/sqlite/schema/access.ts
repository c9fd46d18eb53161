import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Projects that are opened in the console to a member who may hold no key of them. */
export const access = sqliteTable('access', { memberId: text().notNull(), projectId: text().notNull() }, (table) => [
  primaryKey({ columns: [table.memberId, table.projectId] }),
])
