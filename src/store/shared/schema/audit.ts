import { sql } from 'drizzle-orm'
import type { CallOutcome } from '../../../metrics/metrics.ts'
import type { AuditEntry } from '../../audit.ts'
import type { CallError } from '../../daily-use.ts'
import type { Kit } from '../../sqlite/schema/kit.ts'

/**
 * Tables of what happened: the audit log, whose updates a trigger refuses, and how often tools were called, by day, and
 * calls that were refused or failed.
 */
export function createAuditTables({ table, text, integer, long, json, serial, index, primaryKey, wholeRow }: Kit) {
  return {
    audit: table(
      'audit',
      {
        seq: serial(),
        at: long().notNull(),
        accountId: text(),
        projectId: text(),
        actor: text().notNull(),
        act: text().notNull(),
        target: text(),
        via: text(),
        outcome: text().$type<AuditEntry['outcome']>().notNull(),
        details: json<AuditEntry['details']>().notNull(),
        /** `details.scope`, by which rejections are found. */
        scope: text(),
      },
      (own) => [
        index('audit_by_account').on(own.accountId, own.at, own.seq),
        index('audit_by_act').on(own.accountId, own.act, own.at, own.seq),
        index('audit_by_actor').on(own.accountId, own.actor, own.at, own.seq),
        index('audit_by_project').on(own.accountId, own.projectId, own.at, own.seq).where(sql`project_id is not null`),
        // What was done to records, and rejections by scope and by actor. Their conditions stand in the statements,
        // too.
        index('audit_of_records')
          .on(own.projectId, own.target, own.seq)
          .where(sql`act >= 'record.' and act < 'record/'`),
        index('audit_rejections').on(own.projectId, own.scope, own.seq).where(sql`act = 'record.reject'`),
        index('audit_rejections_by').on(own.projectId, own.actor, own.seq).where(sql`act = 'record.reject'`),
        ...wholeRow('audit', own, own.at),
      ],
    ),
    dailyUse: table(
      'usage_daily',
      {
        projectId: text().notNull(),
        /** Days since 1970, in UTC. */
        day: integer().notNull(),
        tool: text().notNull(),
        // Before the key: so the index over whole rows has the calls of a day in the order in which they are counted.
        outcome: text().$type<CallOutcome>().notNull(),
        keyId: text().notNull(),
        /** Upper bound of the calls' durations. */
        durationMs: integer().notNull(),
        calls: long().notNull(),
      },
      (own) => [
        primaryKey({ columns: [own.projectId, own.day, own.tool, own.keyId, own.outcome, own.durationMs] }),
        ...wholeRow('usage_daily', own, own.day),
      ],
    ),
    callErrors: table(
      'call_errors',
      {
        seq: serial(),
        at: long().notNull(),
        accountId: text().notNull(),
        projectId: text().notNull(),
        authorId: text().notNull(),
        keyId: text().notNull(),
        tool: text().notNull(),
        outcome: text().$type<CallError['outcome']>().notNull(),
        reason: text().notNull(),
        calls: integer().notNull(),
      },
      (own) => [
        // The lists of an account, of a project, and of what a person or a service key called.
        index('call_errors_by_account').on(own.accountId, own.at, own.seq),
        index('call_errors_by_project').on(own.projectId, own.at, own.seq),
        index('call_errors_by_author').on(own.authorId, own.at, own.seq),
        ...wholeRow('call_errors', own, own.at),
      ],
    ),
  }
}
