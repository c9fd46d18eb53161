import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { UnpickedTool, UpstreamTool } from '../../integration.ts'
import { wholeRow } from './whole-row.ts'

// Other MCP servers that accounts connect. Times are milliseconds since 1970.

export const integrations = sqliteTable(
  'integrations',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    slug: text().notNull(),
    name: text().notNull(),
    url: text().notNull(),
    /** Encrypted. */
    headers: text().notNull(),
    mode: text({ enum: ['read-only', 'read-write'] }).notNull(),
    tools: text({ mode: 'json' }).$type<string[]>(),
    timeoutMs: integer().notNull(),
    maxBytes: integer().notNull(),
    stateful: integer({ mode: 'boolean' }).notNull().default(false),
    createdAt: integer().notNull(),
    acceptedAt: integer(),
  },
  (table) => [wholeRow('integrations', table), uniqueIndex('integrations_by_slug').on(table.accountId, table.slug)],
)

export const enabledIntegrations = sqliteTable(
  'enabled_integrations',
  { integrationId: text().notNull(), projectId: text().notNull() },
  (table) => [primaryKey({ columns: [table.integrationId, table.projectId] }), index('enabled_by_project').on(table.projectId)],
)

/** The tools each integration had when it was last asked, and as they were accepted. */
export const toolLists = sqliteTable(
  'tool_lists',
  {
    integrationId: text().primaryKey(),
    tools: text({ mode: 'json' }).$type<UpstreamTool[]>().notNull(),
    accepted: text({ mode: 'json' }).$type<UpstreamTool[]>().notNull().default([]),
    withheld: integer().notNull().default(0),
    unpicked: text({ mode: 'json' }).$type<UnpickedTool[]>().notNull().default([]),
    ttlMs: integer().notNull(),
    fetchedAt: integer().notNull(),
  },
  (table) => [wholeRow('tool_lists', table)],
)
