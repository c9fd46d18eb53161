import { and, asc, eq } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { InvitationReads, InvitationWrites } from '../../invitation.ts'
import { invitations } from '../schema/invitation.ts'

export function createInvitationReads(db: BunSQLiteDatabase): InvitationReads {
  return {
    listInvitations: async (accountId) =>
      db.select().from(invitations).where(eq(invitations.accountId, accountId)).orderBy(asc(invitations.createdAt)).all(),
    findInvitation: async (digest) => db.select().from(invitations).where(eq(invitations.digest, digest)).get(),
  }
}

export function createInvitationWrites(db: BunSQLiteDatabase): InvitationWrites {
  return {
    insertInvitation: async (invitation) => void db.insert(invitations).values(invitation).run(),
    deleteInvitations: async (accountId, email) =>
      db
        .delete(invitations)
        .where(and(eq(invitations.accountId, accountId), eq(invitations.email, email)))
        .returning({ id: invitations.id })
        .all().length,
    deleteInvitationsBy: async (madeBy) => void db.delete(invitations).where(eq(invitations.madeBy, madeBy)).run(),
  }
}
