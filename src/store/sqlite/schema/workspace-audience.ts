import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Who has ever been given something to see in a workspace: to everyone else it was never written to. */
export const workspaceAudiences = sqliteTable(
  'workspace_audiences',
  { workspaceId: integer().notNull(), audience: text().notNull() },
  (table) => [primaryKey({ columns: [table.workspaceId, table.audience] })],
)
