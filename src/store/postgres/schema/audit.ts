import { sql } from 'drizzle-orm'
import { bigserial, index, pgTable } from 'drizzle-orm/pg-core'
import type { AuditEntry } from '../../audit.ts'
import { exactText, json, time } from './types.ts'

/** The audit log. A trigger refuses updates. */
export const audit = pgTable(
  'audit',
  {
    seq: bigserial({ mode: 'number' }).primaryKey(),
    at: time().notNull(),
    accountId: exactText(),
    projectId: exactText(),
    actor: exactText().notNull(),
    act: exactText().notNull(),
    target: exactText(),
    via: exactText(),
    outcome: exactText().$type<AuditEntry['outcome']>().notNull(),
    details: json<AuditEntry['details']>().notNull(),
    /** `details.scope`, by which rejections are found. */
    scope: exactText(),
  },
  (table) => [
    index('audit_by_account').on(table.accountId, table.at, table.seq),
    index('audit_by_act').on(table.accountId, table.act, table.at, table.seq),
    index('audit_by_actor').on(table.accountId, table.actor, table.at, table.seq),
    index('audit_by_project').on(table.accountId, table.projectId, table.at, table.seq).where(sql`project_id is not null`),
    index('audit_of_records').on(table.projectId, table.target, table.seq).where(sql`act >= 'record.' and act < 'record/'`),
    index('audit_rejections').on(table.projectId, table.scope, table.seq).where(sql`act = 'record.reject'`),
    index('audit_rejections_by').on(table.projectId, table.actor, table.seq).where(sql`act = 'record.reject'`),
    index('audit_by_time').on(table.at),
  ],
)
