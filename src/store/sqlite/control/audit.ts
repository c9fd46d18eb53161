import { and, desc, eq, getTableColumns, inArray, isNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { AuditEntry, AuditReads, AuditWrites } from '../../audit.ts'
import { toAuditCondition, toAuditValuesQuery } from '../../audit-query.ts'
import { audit } from '../schema/audit.ts'

/** The condition of the partial index, word for word: SQLite uses it only if the statement repeats it. */
const ON_RECORDS = sql`act >= 'record.' and act < 'record/'`

export function createAuditReads(db: BunSQLiteDatabase): AuditReads {
  return {
    listAudit: async ({ limit, ...selection }) =>
      db.select().from(audit).where(toAuditCondition(audit, selection)).orderBy(desc(audit.at), desc(audit.seq)).limit(limit).all(),
    listAuditValues: async (accountId, field, limit) =>
      db.all<{ value: string }>(toAuditValuesQuery(audit, accountId, field, limit)).map(({ value }) => value),
    listRecordActs: async ({ projectId, targets, limit }) =>
      db
        .select()
        .from(audit)
        .where(and(eq(audit.projectId, projectId), ON_RECORDS, targets === null ? isNull(audit.target) : inArray(audit.target, targets)))
        .orderBy(desc(audit.seq))
        .limit(limit)
        .all(),
    listRejections: async ({ projectId, scopes, actor, beforeSeq, limit }) => {
      const isBefore = beforeSeq === undefined ? undefined : lt(audit.seq, beforeSeq)
      // The act is a literal in the statement: only then does SQLite use the partial indexes of rejections.
      const list = (condition: SQL) =>
        db
          .select()
          .from(audit)
          .where(and(sql`act = 'record.reject'`, eq(audit.projectId, projectId), condition, isBefore))
          .orderBy(desc(audit.seq))
          .limit(limit)
          .all()
      const found = [...scopes.map((scope) => sql`details ->> 'scope' = ${scope}`), eq(audit.actor, actor)].flatMap(list)
      const bySeq = new Map(found.map((entry) => [entry.seq, entry]))
      return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, limit)
    },
  }
}

export function createAuditWrites(db: BunSQLiteDatabase): AuditWrites {
  // Prepared, because building the statement takes ten times as long as running it. All columns except `seq`, which the database assigns.
  const { seq: _seq, ...columns } = getTableColumns(audit)
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, sql.placeholder(name)]))
  const insert = db
    .insert(audit)
    .values(values as Record<keyof AuditEntry, Placeholder>)
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
