import { and, asc, count, desc, eq, getTableColumns, isNull, max, or, sql } from 'drizzle-orm'
import type { KeyReads, KeyWrites } from '../../key.ts'
import { isAmong } from '../among.ts'
import type { Connection } from '../connection.ts'
import type { Run } from '../run.ts'
import { accounts, keys, members, projects } from '../schema/control.ts'

const isLive = (now: number) => and(isNull(keys.revokedAt), or(isNull(keys.expiresAt), sql`${keys.expiresAt} > ${now}`))

/** Ids tell which of two keys of the same millisecond came first. */
const IN_TIME = [asc(keys.createdAt), asc(keys.id)]
const NEWEST_FIRST = [desc(keys.createdAt), desc(keys.id)]

export function createKeyReads(run: Run): KeyReads {
  const holders = ({ db }: Connection) =>
    db
      .select({ key: keys, project: projects, account: accounts, member: members })
      .from(keys)
      .innerJoin(projects, eq(projects.id, keys.projectId))
      .innerJoin(accounts, eq(accounts.id, projects.accountId))
      .leftJoin(members, eq(members.id, keys.memberId))
  return {
    findKeyHolder: (digest) => run(async (connection) => (await holders(connection).where(eq(keys.digest, digest)))[0]),
    findHolderOfKey: (keyId) => run(async (connection) => (await holders(connection).where(eq(keys.id, keyId)))[0]),
    findKeys: (ref) =>
      run(({ db }) =>
        db
          .select()
          .from(keys)
          .where(or(eq(keys.id, ref), eq(keys.shown, ref))),
      ),
    listKeysById: (ids) => run(({ db }) => db.select().from(keys).where(isAmong(keys.id, ids))),
    listKeys: (projectId) =>
      run(({ db }) =>
        db
          .select()
          .from(keys)
          .where(eq(keys.projectId, projectId))
          .orderBy(...IN_TIME),
      ),
    listKeysOfAccount: (accountId) =>
      run(({ db }) =>
        db
          .select(getTableColumns(keys))
          .from(keys)
          .innerJoin(projects, eq(projects.id, keys.projectId))
          .where(eq(projects.accountId, accountId))
          .orderBy(...IN_TIME),
      ),
    listKeysOfMember: (memberId) =>
      run(({ db }) =>
        db
          .select()
          .from(keys)
          .where(eq(keys.memberId, memberId))
          .orderBy(...IN_TIME),
      ),
    listKeyPage: ({ projectId, memberId, now, offset, limit }) =>
      run(({ db }) => {
        const live = sql`(${isLive(now)})`
        return db
          .select()
          .from(keys)
          .where(and(eq(keys.projectId, projectId), memberId === undefined ? undefined : eq(keys.memberId, memberId)))
          .orderBy(desc(live), ...NEWEST_FIRST)
          .limit(limit)
          .offset(offset)
      }),
    listKeysByUse: ({ projectId, memberId, now, limit }) =>
      run(({ db }) => {
        const isOwn = and(eq(keys.projectId, projectId), memberId === undefined ? undefined : eq(keys.memberId, memberId))
        return db
          .select()
          .from(keys)
          .where(and(isOwn, isLive(now)))
          .orderBy(sql`${keys.lastUsedAt} desc nulls last`, ...NEWEST_FIRST)
          .limit(limit)
      }),
    listProjectsOfKeys: (memberId, now) =>
      run(async ({ db }) => {
        const found = await db
          .selectDistinct({ id: keys.projectId })
          .from(keys)
          .where(and(eq(keys.memberId, memberId), isLive(now)))
        return found.map(({ id }) => id)
      }),
    countLiveKeys: (memberId, projectId, now) =>
      run(async ({ db }) => {
        const [row] = await db
          .select({ n: count() })
          .from(keys)
          .where(and(eq(keys.memberId, memberId), isLive(now), eq(keys.projectId, projectId)))
        return row?.n ?? 0
      }),
    findLastKeyUse: (memberId) =>
      run(
        async ({ db }) =>
          (
            await db
              .select({ at: max(keys.lastUsedAt) })
              .from(keys)
              .where(eq(keys.memberId, memberId))
          )[0]?.at ?? null,
      ),
  }
}

/** `changed` is called by each change that the control version counts. */
export function createKeyWrites(run: Run, changed: () => void): KeyWrites {
  return {
    insertKey: (key) => run(async ({ db }) => void (await db.insert(keys).values(key))),
    updateKey: (id, change) =>
      run(async ({ db }) => {
        await db.update(keys).set(change).where(eq(keys.id, id))
        changed()
      }),
    saveKeyUses: (uses) =>
      run(async ({ db }) => {
        for (const { id, at } of uses)
          await db
            .update(keys)
            .set({ lastUsedAt: sql`greatest(${keys.lastUsedAt}, ${at})` })
            .where(eq(keys.id, id))
      }),
  }
}
