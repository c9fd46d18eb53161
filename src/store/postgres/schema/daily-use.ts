import { bigint, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import type { CallOutcome } from '../../../metrics/metrics.ts'
import { exactText } from './types.ts'

/** How often tools were called, by day. */
export const usageDaily = pgTable(
  'usage_daily',
  {
    projectId: exactText().notNull(),
    /** Days since 1970, in UTC. */
    day: integer().notNull(),
    tool: exactText().notNull(),
    keyId: exactText().notNull(),
    outcome: exactText().$type<CallOutcome>().notNull(),
    /** The longest that any of the calls may have taken. */
    durationMs: integer().notNull(),
    calls: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.day, table.tool, table.keyId, table.outcome, table.durationMs] }),
    index('usage_daily_by_day').on(table.day),
  ],
)
