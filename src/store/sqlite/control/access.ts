import { and, eq } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { AccessReads, AccessWrites } from '../../access.ts'
import { access } from '../schema/access.ts'

export function createAccessReads(db: BunSQLiteDatabase): AccessReads {
  return {
    listAccess: async (memberId) =>
      db
        .select()
        .from(access)
        .where(eq(access.memberId, memberId))
        .all()
        .map(({ projectId }) => projectId),
  }
}

export function createAccessWrites(db: BunSQLiteDatabase): AccessWrites {
  return {
    allowAccess: async (projectId, memberId) => void db.insert(access).values({ memberId, projectId }).onConflictDoNothing().run(),
    endAccess: async (projectId, memberId) =>
      void db
        .delete(access)
        .where(and(eq(access.memberId, memberId), eq(access.projectId, projectId)))
        .run(),
  }
}
