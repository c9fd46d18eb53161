import { and, count, desc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { OAuthReads, OAuthWrites } from '../../oauth.ts'
import { accounts, keys, members, projects } from '../schema/control.ts'
import { connections, grants, oauthClients } from '../schema/oauth.ts'

export function createOAuthReads(db: BunSQLiteDatabase): OAuthReads {
  const holders = () =>
    db
      .select({ connection: connections, key: keys, project: projects, account: accounts, member: members })
      .from(connections)
      .innerJoin(keys, eq(keys.id, connections.keyId))
      .innerJoin(projects, eq(projects.id, keys.projectId))
      .innerJoin(accounts, eq(accounts.id, projects.accountId))
      .leftJoin(members, eq(members.id, keys.memberId))
  return {
    findClient: async (id) => db.select().from(oauthClients).where(eq(oauthClients.id, id)).get(),
    findGrant: async (digest, stage) =>
      db
        .select()
        .from(grants)
        .where(and(eq(grants.digest, digest), eq(grants.stage, stage)))
        .get(),
    findConnectionHolder: async (tokenDigest) => holders().where(eq(connections.tokenDigest, tokenDigest)).get(),
    findConnectionHolderByCode: async (codeDigest) => holders().where(eq(connections.codeDigest, codeDigest)).get(),
    listConnections: async ({ id, accountId, projectId, memberId }, { after, limit = -1 } = {}) =>
      holders()
        .where(
          and(
            id === undefined ? undefined : eq(connections.id, id),
            accountId === undefined ? undefined : eq(accounts.id, accountId),
            projectId === undefined ? undefined : eq(projects.id, projectId),
            memberId === undefined ? undefined : eq(keys.memberId, memberId),
            after && sql`(${connections.createdAt}, ${connections.id}) < (${after.createdAt}, ${after.id})`,
          ),
        )
        .orderBy(desc(connections.createdAt), desc(connections.id))
        .limit(limit)
        .all(),
    countConnections: async (keyId) =>
      db.select({ connections: count() }).from(connections).where(eq(connections.keyId, keyId)).get()?.connections ?? 0,
  }
}

/** `changed` is called for each change that the control version counts. */
export function createOAuthWrites(db: BunSQLiteDatabase, changed: () => void): OAuthWrites {
  return {
    saveClient: async (client) =>
      void db.insert(oauthClients).values(client).onConflictDoUpdate({ target: oauthClients.id, set: client }).run(),
    markClientUsed: async (id, usedAt) => void db.update(oauthClients).set({ usedAt }).where(eq(oauthClients.id, id)).run(),
    purgeClients: async ({ before, unusedBefore, keepUnused }) => {
      const old = sql`max(read_at, coalesce(used_at, 0)) <= ${before} or (used_at is null and read_at <= ${unusedBefore})`
      db.delete(oauthClients).where(old).run()
      const surplus = sql`(select id from ${oauthClients} where used_at is null order by read_at desc limit -1 offset ${keepUnused})`
      db.delete(oauthClients).where(sql`${oauthClients.id} in ${surplus}`).run()
    },
    insertGrant: async (grant) => void db.insert(grants).values(grant).run(),
    deleteGrant: async (digest) => void db.delete(grants).where(eq(grants.digest, digest)).run(),
    purgeGrants: async (before) => void db.delete(grants).where(lt(grants.expiresAt, before)).run(),
    insertConnection: async (connection) => void db.insert(connections).values(connection).run(),
    updateConnection: async (id, change) => {
      db.update(connections).set(change).where(eq(connections.id, id)).run()
      changed()
    },
    saveConnectionUses: async (uses) => {
      for (const { id, at } of uses) {
        const later = sql`max(coalesce(${connections.lastUsedAt}, 0), ${at})`
        db.update(connections).set({ lastUsedAt: later }).where(eq(connections.id, id)).run()
      }
    },
    purgeRevokedConnections: async (keyId) =>
      void db
        .delete(connections)
        .where(and(eq(connections.keyId, keyId), isNotNull(connections.revokedAt)))
        .run(),
    purgeConnections: async (before) => void db.delete(connections).where(lt(connections.expiresAt, before)).run(),
  }
}
