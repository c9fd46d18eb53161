import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { AuditReads, AuditWrites } from '../../audit.ts'
import { audit } from '../schema/audit.ts'

export function createAuditReads(db: BunSQLiteDatabase): AuditReads {
  return {
    listAudit: async ({ accountId, act, beforeSeq, limit }) =>
      db
        .select()
        .from(audit)
        .where(
          and(
            accountId === undefined ? undefined : eq(audit.accountId, accountId),
            act === undefined ? undefined : eq(audit.act, act),
            beforeSeq === undefined ? undefined : lt(audit.seq, beforeSeq),
          ),
        )
        .orderBy(desc(audit.seq))
        .limit(limit)
        .all(),
  }
}

export function createAuditWrites(db: BunSQLiteDatabase): AuditWrites {
  return {
    insertAudit: async (entry) => void db.insert(audit).values(entry).run(),
    purgeAudit: async (before, limit) =>
      db
        .delete(audit)
        .where(sql`${audit.seq} in (select seq from ${audit} where at < ${before} order by at limit ${limit})`)
        .returning({ seq: audit.seq })
        .all().length,
  }
}
