import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { CallOutcome } from '../../../metrics/metrics.ts'
import { wholeRow } from './whole-row.ts'

/** How often tools were called, by day. */
export const usageDaily = sqliteTable(
  'usage_daily',
  {
    projectId: text().notNull(),
    /** Days since 1970, in UTC. */
    day: integer().notNull(),
    tool: text().notNull(),
    keyId: text().notNull(),
    outcome: text().$type<CallOutcome>().notNull(),
    /** Upper bound of the calls' durations. */
    durationMs: integer().notNull(),
    calls: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.day, table.tool, table.keyId, table.outcome, table.durationMs] }),
    // In order of day, by which old ones are found.
    wholeRow('usage_daily', table, table.day),
  ],
)
