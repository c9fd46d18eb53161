import { and, asc, desc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { SessionReads, SessionWrites } from '../../session.ts'
import { accounts, members } from '../schema/control.ts'
import { entryLinks, passwords, sessions } from '../schema/session.ts'

export function createSessionReads(db: BunSQLiteDatabase): SessionReads {
  return {
    findSignIn: async (email, account) =>
      db
        .select({ member: members, account: accounts, passwordHash: passwords.hash })
        .from(members)
        .innerJoin(accounts, eq(accounts.id, members.accountId))
        .leftJoin(passwords, eq(passwords.memberId, members.id))
        .where(
          and(
            eq(members.email, email),
            isNull(members.removedAt),
            account === undefined ? undefined : or(eq(accounts.id, account), eq(accounts.name, account)),
          ),
        )
        .orderBy(asc(members.createdAt), asc(members.id))
        .limit(1)
        .get(),
    findPassword: async (memberId) => db.select().from(passwords).where(eq(passwords.memberId, memberId)).get()?.hash,
    findSessionHolder: async (digest) =>
      db
        .select({ session: sessions, member: members, account: accounts })
        .from(sessions)
        .innerJoin(members, eq(members.id, sessions.memberId))
        .innerJoin(accounts, eq(accounts.id, members.accountId))
        .where(eq(sessions.digest, digest))
        .get(),
    listSessions: async (memberId) =>
      db.select().from(sessions).where(eq(sessions.memberId, memberId)).orderBy(desc(sessions.createdAt)).all(),
    findEntryLink: async (digest) => db.select().from(entryLinks).where(eq(entryLinks.digest, digest)).get(),
  }
}

export function createSessionWrites(db: BunSQLiteDatabase): SessionWrites {
  return {
    savePassword: async (memberId, hash) =>
      void db.insert(passwords).values({ memberId, hash }).onConflictDoUpdate({ target: passwords.memberId, set: { hash } }).run(),
    insertSession: async (session) => void db.insert(sessions).values(session).run(),
    keepSessions: async (memberId, most) => {
      const kept = sql`select id from ${sessions} where member_id = ${memberId} order by created_at desc, rowid desc limit ${most}`
      db.delete(sessions).where(sql`member_id = ${memberId} and id not in (${kept})`).run()
    },
    deleteSession: async (id) => void db.delete(sessions).where(eq(sessions.id, id)).run(),
    deleteSessions: async (memberId) => void db.delete(sessions).where(eq(sessions.memberId, memberId)).run(),
    insertEntryLink: async (link) => void db.insert(entryLinks).values(link).run(),
    deleteEntryLinks: async (memberId) => void db.delete(entryLinks).where(eq(entryLinks.memberId, memberId)).run(),
    deleteEntryLinksBy: async (madeBy) => void db.delete(entryLinks).where(eq(entryLinks.madeBy, madeBy)).run(),
    purgeSessions: async (before) => {
      db.delete(sessions).where(lte(sessions.expiresAt, before)).run()
      db.delete(entryLinks).where(lte(entryLinks.expiresAt, before)).run()
    },
  }
}
