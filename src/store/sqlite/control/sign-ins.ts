import { and, asc, desc, eq, getTableColumns, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { SignInReads, SignInWrites } from '../../sign-in.ts'
import { accounts, members } from '../schema/control.ts'
import { browsers, emailChanges, entryLinks, invitations, passwords, sessions } from '../schema/sign-in.ts'

export function createSignInReads(db: BunSQLiteDatabase): SignInReads {
  // Built once: every request to the console runs it, and building it takes longer than running it.
  const sessionHolder = db
    .select({ session: sessions, member: members, account: accounts })
    .from(sessions)
    .innerJoin(members, eq(members.id, sessions.memberId))
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(sessions.digest, sql.placeholder('digest')))
    .prepare()
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
            isNull(accounts.removedAt),
            account === undefined ? undefined : or(eq(accounts.id, account), eq(accounts.name, account)),
          ),
        )
        .orderBy(asc(members.createdAt), asc(members.id))
        .limit(1)
        .get(),
    findPassword: async (memberId) => db.select().from(passwords).where(eq(passwords.memberId, memberId)).get()?.hash,
    findSessionHolder: async (digest) => sessionHolder.get({ digest }),
    listSessions: async (memberId) =>
      db.select().from(sessions).where(eq(sessions.memberId, memberId)).orderBy(desc(sessions.createdAt)).all(),
    findEntryLink: async (digest) => db.select().from(entryLinks).where(eq(entryLinks.digest, digest)).get(),
    listInvitations: async (accountId) =>
      db.select().from(invitations).where(eq(invitations.accountId, accountId)).orderBy(asc(invitations.createdAt)).all(),
    findInvitation: async (digest) => db.select().from(invitations).where(eq(invitations.digest, digest)).get(),
    findEmailChange: async (memberId) => db.select().from(emailChanges).where(eq(emailChanges.memberId, memberId)).get(),
    listEmailChanges: async (accountId, limit) =>
      db
        .select(getTableColumns(emailChanges))
        .from(emailChanges)
        .innerJoin(members, eq(members.id, emailChanges.memberId))
        .where(and(eq(members.accountId, accountId), isNull(members.removedAt)))
        .orderBy(asc(emailChanges.requestedAt))
        .limit(limit)
        .all(),
    findBrowserMember: async (digest) => db.select().from(browsers).where(eq(browsers.digest, digest)).get()?.memberId,
  }
}

export function createSignInWrites(db: BunSQLiteDatabase): SignInWrites {
  return {
    savePassword: async (memberId, hash) =>
      void db.insert(passwords).values({ memberId, hash }).onConflictDoUpdate({ target: passwords.memberId, set: { hash } }).run(),
    insertSession: async (session) => void db.insert(sessions).values(session).run(),
    keepSessions: async (memberId, limit) => {
      const kept = sql`select id from ${sessions} where member_id = ${memberId} order by created_at desc, rowid desc limit ${limit}`
      db.delete(sessions).where(sql`member_id = ${memberId} and id not in (${kept})`).run()
    },
    deleteSession: async (id) => void db.delete(sessions).where(eq(sessions.id, id)).run(),
    deleteSessions: async (memberId) => void db.delete(sessions).where(eq(sessions.memberId, memberId)).run(),
    insertEntryLink: async (link) => void db.insert(entryLinks).values(link).run(),
    deleteEntryLinks: async (memberId, kept) => {
      const isGone = kept === undefined ? undefined : sql`${entryLinks.madeBy} is not ${kept.except}`
      db.delete(entryLinks)
        .where(and(eq(entryLinks.memberId, memberId), isGone))
        .run()
    },
    deleteEntryLinksBy: async (madeBy) => void db.delete(entryLinks).where(eq(entryLinks.madeBy, madeBy)).run(),
    purgeSessions: async (before) => {
      db.delete(sessions).where(lte(sessions.expiresAt, before)).run()
      db.delete(entryLinks).where(lte(entryLinks.expiresAt, before)).run()
    },
    insertInvitation: async (invitation) => void db.insert(invitations).values(invitation).run(),
    deleteInvitations: async (accountId, email) =>
      db
        .delete(invitations)
        .where(and(eq(invitations.accountId, accountId), eq(invitations.email, email)))
        .returning({ id: invitations.id })
        .all().length,
    deleteInvitationsBy: async (madeBy) => void db.delete(invitations).where(eq(invitations.madeBy, madeBy)).run(),
    saveEmailChange: async (change) =>
      void db.insert(emailChanges).values(change).onConflictDoUpdate({ target: emailChanges.memberId, set: change }).run(),
    deleteEmailChange: async (memberId) => void db.delete(emailChanges).where(eq(emailChanges.memberId, memberId)).run(),
    saveBrowser: async ({ digest, memberId, usedAt }, limit) => {
      db.insert(browsers).values({ digest, memberId, usedAt }).onConflictDoUpdate({ target: browsers.digest, set: { usedAt } }).run()
      const kept = sql`select digest from ${browsers} where member_id = ${memberId} order by used_at desc, rowid desc limit ${limit}`
      db.delete(browsers).where(sql`member_id = ${memberId} and digest not in (${kept})`).run()
    },
    deleteBrowsers: async (memberId) => void db.delete(browsers).where(eq(browsers.memberId, memberId)).run(),
    purgeBrowsers: async (before) => void db.delete(browsers).where(lt(browsers.usedAt, before)).run(),
  }
}
