import type { Database } from 'bun:sqlite'
import { and, asc, count, desc, eq, isNull, max, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { ControlReads } from '../../control.ts'
import { accounts, departments, keys, members, projects } from '../schema/control.ts'
import { createAccessReads } from './access.ts'
import { createAddressWishReads } from './address-wishes.ts'
import { createAuditReads } from './audit.ts'
import { createBrowserReads } from './browsers.ts'
import { selectHolders } from './holders.ts'
import { createIntegrationReads } from './integration.ts'
import { createInvitationReads } from './invitations.ts'
import { createOAuthReads } from './oauth.ts'
import { createSessionReads } from './sessions.ts'

/** The control file's reads, over either of its connections. */
export function createControlReads(client: Database): ControlReads {
  const db = drizzle({ client, casing: 'snake_case' })
  const membersOf = (ref: string, accountId?: string) =>
    db
      .select()
      .from(members)
      .where(
        and(
          or(eq(members.id, ref), eq(members.email, ref.toLowerCase())),
          accountId === undefined ? undefined : eq(members.accountId, accountId),
          isNull(members.removedAt),
        ),
      )
      .orderBy(asc(members.createdAt), asc(members.id))
  const live = (memberId: string, now: number) =>
    and(eq(keys.memberId, memberId), isNull(keys.revokedAt), sql`(${keys.expiresAt} is null or ${keys.expiresAt} > ${now})`)
  return {
    ...createAccessReads(db),
    ...createAddressWishReads(db),
    ...createAuditReads(db),
    ...createBrowserReads(db),
    ...createIntegrationReads(db),
    ...createInvitationReads(db),
    ...createOAuthReads(db),
    ...createSessionReads(db),
    listAccounts: async () => db.select().from(accounts).orderBy(asc(accounts.createdAt)).all(),
    findAccount: async (ref) =>
      db
        .select()
        .from(accounts)
        .where(or(eq(accounts.id, ref), eq(accounts.name, ref)))
        .get(),
    listDepartments: async (accountId) =>
      db.select().from(departments).where(eq(departments.accountId, accountId)).orderBy(asc(departments.name)).all(),
    listMembers: async (accountId) =>
      db.select().from(members).where(eq(members.accountId, accountId)).orderBy(asc(members.createdAt)).all(),
    findMember: async (ref, accountId) => membersOf(ref, accountId).get(),
    findMembers: async (ref, limit) => membersOf(ref).limit(limit).all(),
    listProjects: async (accountId) =>
      db.select().from(projects).where(eq(projects.accountId, accountId)).orderBy(asc(projects.createdAt)).all(),
    findProjects: async (ref) =>
      db
        .select()
        .from(projects)
        .where(and(or(eq(projects.id, ref), eq(projects.name, ref)), isNull(projects.removedAt)))
        .all(),
    listKeys: async (projectId) => db.select().from(keys).where(eq(keys.projectId, projectId)).orderBy(asc(keys.createdAt)).all(),
    listKeysOfMember: async (memberId) => db.select().from(keys).where(eq(keys.memberId, memberId)).orderBy(asc(keys.createdAt)).all(),
    listProjectsOfKeys: async (memberId, now) =>
      db
        .selectDistinct({ id: keys.projectId })
        .from(keys)
        .where(live(memberId, now))
        .all()
        .map(({ id }) => id),
    listKeyPage: async ({ projectId, memberId, now, offset, limit }) => {
      const own = and(eq(keys.projectId, projectId), memberId === undefined ? undefined : eq(keys.memberId, memberId))
      const live = and(own, isNull(keys.revokedAt), sql`(${keys.expiresAt} is null or ${keys.expiresAt} > ${now})`)
      const dead = and(own, sql`(${keys.revokedAt} is not null or ${keys.expiresAt} <= ${now})`)
      const page = (condition: typeof own, skip: number, most: number) =>
        db.select().from(keys).where(condition).orderBy(desc(keys.createdAt)).limit(most).offset(skip).all()
      const first = page(live, offset, limit)
      if (first.length === limit) return first
      const skip = offset === 0 ? 0 : Math.max(0, offset - (db.select({ n: count() }).from(keys).where(live).get()?.n ?? 0))
      return [...first, ...page(dead, skip, limit - first.length)]
    },
    findLastKeyUse: async (memberId) =>
      db
        .select({ at: max(keys.lastUsedAt) })
        .from(keys)
        .where(eq(keys.memberId, memberId))
        .get()?.at ?? null,
    countLiveKeys: async (memberId, projectId, now) =>
      db
        .select({ n: count() })
        .from(keys)
        .where(and(live(memberId, now), eq(keys.projectId, projectId)))
        .get()?.n ?? 0,
    findKeyHolder: async (digest) => selectHolders(db).where(eq(keys.digest, digest)).get(),
    findAuthor: async (id) =>
      db.select({ id: members.id, name: members.name, removedAt: members.removedAt }).from(members).where(eq(members.id, id)).get() ??
      db.select({ id: keys.id, name: keys.label, removedAt: sql<null>`null` }).from(keys).where(eq(keys.id, id)).get(),
    findKeys: async (ref) =>
      db
        .select()
        .from(keys)
        .where(or(eq(keys.id, ref), eq(keys.shown, ref)))
        .all(),
  }
}
