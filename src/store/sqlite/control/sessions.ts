import { desc, eq, lte } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { SessionReads, SessionWrites } from '../../session.ts'
import { accounts, members } from '../schema/control.ts'
import { entryLinks, passwords, sessions } from '../schema/session.ts'

export function createSessionReads(db: BunSQLiteDatabase): SessionReads {
  return {
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
