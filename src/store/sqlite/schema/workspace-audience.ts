import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Who has ever been given something to see in a workspace: to everyone else it was never written to. */
export const workspaceAudiences = sqliteTable(
  'workspace_audiences',
  {
    workspaceId: integer().notNull(),
    audience: text().notNull(),
    /** The workspace's, so that an audience's workspaces are found in order of name; null once the workspace is removed. */
    name: text(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.audience] }),
    index('workspace_audiences_by_name').on(table.audience, table.name).where(sql`name is not null`),
  ],
)
