import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { AuditEntry, AuditReads, AuditWrites } from '../../audit.ts'
import { audit } from '../schema/audit.ts'

export function createAuditReads(db: BunSQLiteDatabase): AuditReads {
  return {
    listAudit: async ({ accountId, projectId, act, beforeSeq, limit }) =>
      db
        .select()
        .from(audit)
        .where(
          and(
            accountId === undefined ? undefined : eq(audit.accountId, accountId),
            projectId === undefined ? undefined : eq(audit.projectId, projectId),
            act === undefined ? undefined : eq(audit.act, act),
            beforeSeq === undefined ? undefined : lt(audit.seq, beforeSeq),
          ),
        )
        .orderBy(desc(audit.seq))
        .limit(limit)
        .all(),
    listRejections: async ({ projectId, scopes, actor, beforeSeq, limit }) => {
      const earlier = beforeSeq === undefined ? undefined : lt(audit.seq, beforeSeq)
      // The act stands in the statement itself: only then does the engine use the indexes of rejections.
      const list = (condition: SQL) =>
        db
          .select()
          .from(audit)
          .where(and(sql`act = 'record.reject'`, eq(audit.projectId, projectId), condition, earlier))
          .orderBy(desc(audit.seq))
          .limit(limit)
          .all()
      const found = [...scopes.map((scope) => sql`details ->> 'scope' = ${scope}`), eq(audit.actor, actor)].flatMap(list)
      const bySeq = new Map(found.map((line) => [line.seq, line]))
      return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, limit)
    },
  }
}

export function createAuditWrites(db: BunSQLiteDatabase): AuditWrites {
  const of = (name: keyof AuditEntry) => sql.placeholder(name)
  // Written often and many at a time: building the statement would cost ten times what running it does.
  const insert = db
    .insert(audit)
    .values({
      at: of('at'),
      accountId: of('accountId'),
      projectId: of('projectId'),
      actor: of('actor'),
      act: of('act'),
      target: of('target'),
      origin: of('origin'),
      outcome: of('outcome'),
      details: of('details'),
    })
    .prepare()
  return {
    insertAudit: async (entry) => void insert.run(entry),
    purgeAudit: async (before, limit) =>
      db
        .delete(audit)
        .where(sql`${audit.seq} in (select seq from ${audit} where at < ${before} order by at limit ${limit})`)
        .returning({ seq: audit.seq })
        .all().length,
  }
}
