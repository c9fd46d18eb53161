import { and, asc, count, desc, eq, getTableColumns, isNull, max, or, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { KeyReads, KeyWrites } from '../../key.ts'
import { isAmong } from '../among.ts'
import { accounts, keys, members, projects } from '../schema/control.ts'

export function createKeyReads(db: BunSQLiteDatabase): KeyReads {
  const holders = () =>
    db
      .select({ key: keys, project: projects, account: accounts, member: members })
      .from(keys)
      .innerJoin(projects, eq(projects.id, keys.projectId))
      .innerJoin(accounts, eq(accounts.id, projects.accountId))
      .leftJoin(members, eq(members.id, keys.memberId))
  const isLive = (now: number) => and(isNull(keys.revokedAt), sql`(${keys.expiresAt} is null or ${keys.expiresAt} > ${now})`)
  return {
    findKeyHolder: async (digest) => holders().where(eq(keys.digest, digest)).get(),
    findHolderOfKey: async (keyId) => holders().where(eq(keys.id, keyId)).get(),
    findKeys: async (ref) =>
      db
        .select()
        .from(keys)
        .where(or(eq(keys.id, ref), eq(keys.shown, ref)))
        .all(),
    listKeysById: async (ids) => db.select().from(keys).where(isAmong(keys.id, ids)).all(),
    listKeys: async (projectId) => db.select().from(keys).where(eq(keys.projectId, projectId)).orderBy(asc(keys.createdAt)).all(),
    listKeysOfAccount: async (accountId) =>
      db
        .select(getTableColumns(keys))
        .from(keys)
        .innerJoin(projects, eq(projects.id, keys.projectId))
        .where(eq(projects.accountId, accountId))
        .orderBy(asc(keys.createdAt))
        .all(),
    listKeysOfMember: async (memberId) => db.select().from(keys).where(eq(keys.memberId, memberId)).orderBy(asc(keys.createdAt)).all(),
    listKeyPage: async ({ projectId, memberId, now, offset, limit }) => {
      const own = and(eq(keys.projectId, projectId), memberId === undefined ? undefined : eq(keys.memberId, memberId))
      const live = and(own, isLive(now))
      const dead = and(own, sql`(${keys.revokedAt} is not null or ${keys.expiresAt} <= ${now})`)
      const page = (condition: typeof own, skip: number, most: number) =>
        db.select().from(keys).where(condition).orderBy(desc(keys.createdAt)).limit(most).offset(skip).all()
      const first = page(live, offset, limit)
      if (first.length === limit) return first
      const skip = offset === 0 ? 0 : Math.max(0, offset - (db.select({ n: count() }).from(keys).where(live).get()?.n ?? 0))
      return [...first, ...page(dead, skip, limit - first.length)]
    },
    listKeysByUse: async ({ projectId, memberId, now, limit }) => {
      const isOwn = and(eq(keys.projectId, projectId), memberId === undefined ? undefined : eq(keys.memberId, memberId))
      const order = [sql`${keys.lastUsedAt} desc nulls last`, desc(keys.createdAt)]
      return db
        .select()
        .from(keys)
        .where(and(isOwn, isLive(now)))
        .orderBy(...order)
        .limit(limit)
        .all()
    },
    listProjectsOfKeys: async (memberId, now) =>
      db
        .selectDistinct({ id: keys.projectId })
        .from(keys)
        .where(and(eq(keys.memberId, memberId), isLive(now)))
        .all()
        .map(({ id }) => id),
    countLiveKeys: async (memberId, projectId, now) =>
      db
        .select({ n: count() })
        .from(keys)
        .where(and(eq(keys.memberId, memberId), isLive(now), eq(keys.projectId, projectId)))
        .get()?.n ?? 0,
    findLastKeyUse: async (memberId) =>
      db
        .select({ at: max(keys.lastUsedAt) })
        .from(keys)
        .where(eq(keys.memberId, memberId))
        .get()?.at ?? null,
  }
}

/** `changed` is called for each change that the control version counts. */
export function createKeyWrites(db: BunSQLiteDatabase, changed: () => void): KeyWrites {
  return {
    insertKey: async (key) => void db.insert(keys).values(key).run(),
    updateKey: async (id, change) => {
      db.update(keys).set(change).where(eq(keys.id, id)).run()
      changed()
    },
    saveKeyUses: async (uses) => {
      for (const { id, at } of uses) {
        const later = sql`max(coalesce(${keys.lastUsedAt}, 0), ${at})`
        db.update(keys).set({ lastUsedAt: later }).where(eq(keys.id, id)).run()
      }
    },
  }
}
