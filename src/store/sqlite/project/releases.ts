import { and, count, desc, eq, lt, ne, or, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { ReleaseReads, ReleaseSelection, ReleaseWrites } from '../../release.ts'
import { releases } from '../schema/project.ts'

export function createReleaseReads(db: BunSQLiteDatabase): ReleaseReads {
  const find = (hash: string) => db.select().from(releases).where(eq(releases.hash, hash)).get()
  return {
    isAllowed: async (hash) => find(hash)?.state === 'allowed',
    findRelease: async (hash) => find(hash),
    listReleases: async (selection, { offset = 0, limit }) =>
      db
        .select()
        .from(releases)
        .where(toCondition(selection))
        .orderBy(desc(sql`coalesce(decided_at, asked_at)`), releases.hash)
        .limit(limit)
        .offset(offset)
        .all(),
    countReleases: async (selection) => db.select({ n: count() }).from(releases).where(toCondition(selection)).get()?.n ?? 0,
  }
}

function toCondition({ state, askedBy }: ReleaseSelection) {
  return and(state && eq(releases.state, state), askedBy === undefined ? undefined : eq(releases.askedBy, askedBy))
}

/** The log of the file may still have the text. */
const MARK_TO_SCRUB = sql`update usage set to_scrub = 1`

export function createReleaseWrites(db: BunSQLiteDatabase): ReleaseWrites {
  return {
    saveRelease: async (release) =>
      void db.insert(releases).values(release).onConflictDoUpdate({ target: releases.hash, set: release }).run(),
    deleteRelease: async (hash) => {
      db.delete(releases).where(eq(releases.hash, hash)).run()
      db.run(MARK_TO_SCRUB)
    },
    purgeReleases: async (before) => {
      const isOld = or(lt(releases.decidedAt, before), and(eq(releases.state, 'asked'), lt(releases.askedAt, before)))
      const purged = db
        .delete(releases)
        .where(and(ne(releases.state, 'allowed'), isOld))
        .returning({ hash: releases.hash })
        .all()
      if (purged.length > 0) db.run(MARK_TO_SCRUB)
    },
  }
}
