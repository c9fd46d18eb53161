import { and, asc, desc, eq, getTableColumns, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Session, SignInReads, SignInWrites } from '../../sign-in.ts'
import type { Run } from '../run.ts'
import { accounts, members } from '../schema/control.ts'
import { browsers, emailChanges, entryLinks, invitations, passwords, sessions } from '../schema/sign-in.ts'

const { number: _number, ...SESSION } = getTableColumns(sessions)

export function createSignInReads(run: Run): SignInReads {
  return {
    findSignIn: (email, account) =>
      run(async ({ db }) => {
        const found = await db
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
        return found[0]
      }),
    findPassword: (memberId) => run(async ({ db }) => (await db.select().from(passwords).where(eq(passwords.memberId, memberId)))[0]?.hash),
    findSessionHolder: (digest) =>
      run(async ({ db }) => {
        const found = await db
          .select({ session: SESSION, member: members, account: accounts })
          .from(sessions)
          .innerJoin(members, eq(members.id, sessions.memberId))
          .innerJoin(accounts, eq(accounts.id, members.accountId))
          .where(eq(sessions.digest, digest))
        return found[0]
      }),
    listSessions: (memberId): Promise<Session[]> =>
      run(({ db }) =>
        db.select(SESSION).from(sessions).where(eq(sessions.memberId, memberId)).orderBy(desc(sessions.createdAt), desc(sessions.number)),
      ),
    findEntryLink: (digest) => run(async ({ db }) => (await db.select().from(entryLinks).where(eq(entryLinks.digest, digest)))[0]),
    listInvitations: (accountId) =>
      run(({ db }) =>
        db.select().from(invitations).where(eq(invitations.accountId, accountId)).orderBy(asc(invitations.createdAt), asc(invitations.id)),
      ),
    findInvitation: (digest) => run(async ({ db }) => (await db.select().from(invitations).where(eq(invitations.digest, digest)))[0]),
    findEmailChange: (memberId) =>
      run(async ({ db }) => (await db.select().from(emailChanges).where(eq(emailChanges.memberId, memberId)))[0]),
    listEmailChanges: (accountId, limit) =>
      run(({ db }) =>
        db
          .select(getTableColumns(emailChanges))
          .from(emailChanges)
          .innerJoin(members, eq(members.id, emailChanges.memberId))
          .where(and(eq(members.accountId, accountId), isNull(members.removedAt)))
          .orderBy(asc(emailChanges.requestedAt), asc(emailChanges.memberId))
          .limit(limit),
      ),
    findBrowserMember: (digest) =>
      run(async ({ db }) => (await db.select().from(browsers).where(eq(browsers.digest, digest)))[0]?.memberId),
  }
}

export function createSignInWrites(run: Run): SignInWrites {
  return {
    savePassword: (memberId, hash) =>
      run(
        async ({ db }) =>
          void (await db.insert(passwords).values({ memberId, hash }).onConflictDoUpdate({ target: passwords.memberId, set: { hash } })),
      ),
    insertSession: (session) => run(async ({ db }) => void (await db.insert(sessions).values(session))),
    keepSessions: (memberId, limit) =>
      run(async ({ db }) => {
        const own = eq(sessions.memberId, memberId)
        const kept = db
          .select({ id: sessions.id })
          .from(sessions)
          .where(own)
          .orderBy(desc(sessions.createdAt), desc(sessions.number))
          .limit(limit)
        await db.delete(sessions).where(and(own, notInArray(sessions.id, kept)))
      }),
    deleteSession: (id) => run(async ({ db }) => void (await db.delete(sessions).where(eq(sessions.id, id)))),
    deleteSessions: (memberId) => run(async ({ db }) => void (await db.delete(sessions).where(eq(sessions.memberId, memberId)))),
    insertEntryLink: (link) => run(async ({ db }) => void (await db.insert(entryLinks).values(link))),
    deleteEntryLinks: (memberId, kept) =>
      run(async ({ db }) => {
        const isGone = kept === undefined ? undefined : sql`${entryLinks.madeBy} is distinct from ${kept.except}`
        await db.delete(entryLinks).where(and(eq(entryLinks.memberId, memberId), isGone))
      }),
    deleteEntryLinksBy: (madeBy) => run(async ({ db }) => void (await db.delete(entryLinks).where(eq(entryLinks.madeBy, madeBy)))),
    purgeSessions: (before) =>
      run(async ({ db }) => {
        await db.delete(sessions).where(lte(sessions.expiresAt, before))
        await db.delete(entryLinks).where(lte(entryLinks.expiresAt, before))
      }),
    insertInvitation: (invitation) => run(async ({ db }) => void (await db.insert(invitations).values(invitation))),
    deleteInvitations: (accountId, email) =>
      run(async ({ db }) => {
        const own = and(eq(invitations.accountId, accountId), eq(invitations.email, email))
        return (await db.delete(invitations).where(own).returning({ id: invitations.id })).length
      }),
    deleteInvitationsBy: (madeBy) => run(async ({ db }) => void (await db.delete(invitations).where(eq(invitations.madeBy, madeBy)))),
    saveEmailChange: (change) =>
      run(
        async ({ db }) =>
          void (await db.insert(emailChanges).values(change).onConflictDoUpdate({ target: emailChanges.memberId, set: change })),
      ),
    deleteEmailChange: (memberId) => run(async ({ db }) => void (await db.delete(emailChanges).where(eq(emailChanges.memberId, memberId)))),
    saveBrowser: ({ digest, memberId, usedAt }, limit) =>
      run(async ({ db }) => {
        await db.insert(browsers).values({ digest, memberId, usedAt }).onConflictDoUpdate({ target: browsers.digest, set: { usedAt } })
        const own = eq(browsers.memberId, memberId)
        const kept = db
          .select({ digest: browsers.digest })
          .from(browsers)
          .where(own)
          .orderBy(desc(browsers.usedAt), desc(browsers.number))
          .limit(limit)
        await db.delete(browsers).where(and(own, notInArray(browsers.digest, kept)))
      }),
    deleteBrowsers: (memberId) => run(async ({ db }) => void (await db.delete(browsers).where(eq(browsers.memberId, memberId)))),
    purgeBrowsers: (before) => run(async ({ db }) => void (await db.delete(browsers).where(lt(browsers.usedAt, before)))),
  }
}
