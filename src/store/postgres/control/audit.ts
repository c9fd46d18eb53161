import { and, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { AuditReads, AuditWrites, StoredAuditEntry } from '../../audit.ts'
import { toAuditCondition, toAuditValuesQuery } from '../../audit-query.ts'
import type { Run } from '../run.ts'
import { audit } from '../schema/audit.ts'

type Row = typeof audit.$inferSelect

const toEntry = ({ scope: _scope, ...entry }: Row): StoredAuditEntry => entry

export function createAuditReads(run: Run): AuditReads {
  return {
    listAudit: ({ limit, ...selection }) =>
      run(async ({ db }) => {
        const found = await db
          .select()
          .from(audit)
          .where(toAuditCondition(audit, selection))
          .orderBy(desc(audit.at), desc(audit.seq))
          .limit(limit)
        return found.map(toEntry)
      }),
    listAuditValues: (accountId, field, limit) =>
      run(async ({ db }) => {
        const values = await db.execute<{ value: string }>(toAuditValuesQuery(audit, accountId, field, limit))
        return values.map(({ value }) => value)
      }),
    listRecordActs: ({ projectId, targets, limit }) =>
      run(async ({ db }) => {
        const isAbout = targets === null ? isNull(audit.target) : inArray(audit.target, targets)
        const found = await db
          .select()
          .from(audit)
          .where(and(eq(audit.projectId, projectId), sql`act >= 'record.' and act < 'record/'`, isAbout))
          .orderBy(desc(audit.seq))
          .limit(limit)
        return found.map(toEntry)
      }),
    listRejections: ({ projectId, scopes, actor, beforeSeq, limit }) =>
      run(async ({ db }) => {
        const isBefore = beforeSeq === undefined ? undefined : lt(audit.seq, beforeSeq)
        // One after the other: each reads no more than a page by an index of its own.
        const conditions = [...scopes.map((scope) => eq(audit.scope, scope)), eq(audit.actor, actor)]
        const bySeq = new Map<number, Row>()
        for (const condition of conditions) {
          const found = await db
            .select()
            .from(audit)
            .where(and(sql`act = 'record.reject'`, eq(audit.projectId, projectId), condition, isBefore))
            .orderBy(desc(audit.seq))
            .limit(limit)
          for (const row of found) bySeq.set(row.seq, row)
        }
        return [...bySeq.values()]
          .sort((a, b) => b.seq - a.seq)
          .slice(0, limit)
          .map(toEntry)
      }),
  }
}

export function createAuditWrites(run: Run): AuditWrites {
  return {
    insertAudit: (entry) =>
      run(async ({ db }) => {
        const { scope } = entry.details
        await db.insert(audit).values({ ...entry, scope: typeof scope === 'string' ? scope : null })
      }),
    purgeAudit: (before, limit) =>
      run(async ({ db }) => {
        const old = db.select({ seq: audit.seq }).from(audit).where(lt(audit.at, before)).orderBy(audit.at).limit(limit)
        return (await db.delete(audit).where(inArray(audit.seq, old)).returning({ seq: audit.seq })).length
      }),
  }
}
