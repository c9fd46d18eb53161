import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Integration, UnpickedTool, UpstreamTool } from '../../integration.ts'
import { exactText, json, time } from './types.ts'

// Other MCP servers that accounts connect.

export const integrations = pgTable(
  'integrations',
  {
    id: exactText().primaryKey(),
    accountId: exactText().notNull(),
    slug: exactText().notNull(),
    name: exactText().notNull(),
    url: exactText().notNull(),
    /** Encrypted. */
    headers: exactText().notNull(),
    mode: exactText().$type<Integration['mode']>().notNull(),
    tools: json<string[]>(),
    timeoutMs: integer().notNull(),
    maxBytes: integer().notNull(),
    stateful: boolean().notNull().default(false),
    createdAt: time().notNull(),
    acceptedAt: time(),
  },
  (table) => [uniqueIndex('integrations_by_slug').on(table.accountId, table.slug)],
)

export const enabledIntegrations = pgTable(
  'enabled_integrations',
  { integrationId: exactText().notNull(), projectId: exactText().notNull() },
  (table) => [primaryKey({ columns: [table.integrationId, table.projectId] }), index('enabled_by_project').on(table.projectId)],
)

/** The tools each integration had when it was last asked, and as they were accepted. */
export const toolLists = pgTable('tool_lists', {
  integrationId: exactText().primaryKey(),
  tools: json<UpstreamTool[]>().notNull(),
  accepted: json<UpstreamTool[]>().notNull(),
  withheld: integer().notNull().default(0),
  unpicked: json<UnpickedTool[]>().notNull().default(sql`'[]'`),
  ttlMs: time().notNull(),
  fetchedAt: time().notNull(),
})
