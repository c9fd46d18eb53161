import { and, desc, eq, lt, ne, or, sql } from 'drizzle-orm'
import type { ReleaseReads, ReleaseSelection, ReleaseWrites } from '../../release.ts'
import { isOwn, toColumns, toKey } from '../engine.ts'
import type { ProjectEngine } from './sql.ts'

export function createReleaseReads(engine: ProjectEngine): ReleaseReads {
  const { db, tables } = engine
  const { releases } = tables
  const where = ({ state, askedBy }: ReleaseSelection) =>
    and(
      isOwn(engine, releases),
      state === undefined ? undefined : eq(releases.state, state),
      askedBy === undefined ? undefined : eq(releases.askedBy, askedBy),
    )
  const find = async (hash: string) => {
    const found = db.select(toColumns(releases)).from(releases)
    return (await found.where(and(isOwn(engine, releases), eq(releases.hash, hash))))[0]
  }
  return {
    findRelease: find,
    listReleases: async (selection, { offset = 0, limit }) =>
      db
        .select(toColumns(releases))
        .from(releases)
        .where(where(selection))
        .orderBy(sql`${desc(sql`coalesce(${releases.decidedAt}, ${releases.askedAt})`)} nulls last`, releases.hash)
        .limit(limit)
        .offset(offset),
    countReleases: (selection) => db.$count(releases, where(selection)),
  }
}

/** `erased` is called where texts were erased: the storage may keep something of them. */
export function createReleaseWrites(engine: ProjectEngine, erased: () => void): ReleaseWrites {
  const { db, own, tables } = engine
  const { releases } = tables
  const isOld = (before: number) =>
    and(
      ne(releases.state, 'allowed'),
      or(lt(releases.decidedAt, before), and(eq(releases.state, 'asked'), lt(releases.askedAt, before))),
    )
  return {
    saveRelease: async (release) =>
      void (await db
        .insert(releases)
        .values({ ...own, ...release })
        .onConflictDoUpdate({ target: toKey(engine, releases, releases.hash), set: release })),
    deleteReleases: async (which) => {
      const rows = await db
        .delete(releases)
        .where(and(isOwn(engine, releases), 'hash' in which ? eq(releases.hash, which.hash) : isOld(which.before)))
        .returning({ hash: releases.hash })
      if (rows.length > 0) erased()
    },
  }
}
