import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { wholeRow } from './whole-row.ts'

/** The audit log. A trigger refuses updates. */
export const audit = sqliteTable(
  'audit',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** Milliseconds since 1970. */
    at: integer().notNull(),
    accountId: text(),
    projectId: text(),
    actor: text().notNull(),
    act: text().notNull(),
    target: text(),
    via: text('origin'),
    outcome: text({ enum: ['done', 'refused', 'failed'] }).notNull(),
    details: text({ mode: 'json' }).$type<Record<string, string | number | boolean | null>>().notNull(),
  },
  (table) => [
    // SQLite adds the row's number to every index.
    index('audit_by_account').on(table.accountId, table.at),
    index('audit_by_act').on(table.accountId, table.act, table.at),
    index('audit_by_actor').on(table.accountId, table.actor, table.at),
    index('audit_by_project').on(table.accountId, table.projectId, table.at).where(sql`project_id is not null`),
    // What was done to records; its condition stands in the statement too.
    index('audit_of_records').on(table.projectId, table.target, table.seq).where(sql`act >= 'record.' and act < 'record/'`),
    // Rejections by scope, and those of one actor.
    index('audit_rejections').on(table.projectId, sql`details ->> 'scope'`, table.seq).where(sql`act = 'record.reject'`),
    index('audit_rejections_by').on(table.projectId, table.actor, table.seq).where(sql`act = 'record.reject'`),
    // In order of time.
    wholeRow('audit', table, table.at),
  ],
)
