import { and, count, desc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import type { OAuthReads, OAuthWrites } from '../../oauth.ts'
import type { Connection } from '../connection.ts'
import type { Run } from '../run.ts'
import { accounts, keys, members, projects } from '../schema/control.ts'
import { connections, grants, oauthClients } from '../schema/oauth.ts'

export function createOAuthReads(run: Run): OAuthReads {
  const holders = ({ db }: Connection) =>
    db
      .select({ connection: connections, key: keys, project: projects, account: accounts, member: members })
      .from(connections)
      .innerJoin(keys, eq(keys.id, connections.keyId))
      .innerJoin(projects, eq(projects.id, keys.projectId))
      .innerJoin(accounts, eq(accounts.id, projects.accountId))
      .leftJoin(members, eq(members.id, keys.memberId))
  return {
    findClient: (id) => run(async ({ db }) => (await db.select().from(oauthClients).where(eq(oauthClients.id, id)))[0]),
    findGrant: (digest, stage) =>
      run(
        async ({ db }) =>
          (
            await db
              .select()
              .from(grants)
              .where(and(eq(grants.digest, digest), eq(grants.stage, stage)))
          )[0],
      ),
    findConnectionHolder: (tokenDigest) =>
      run(async (connection) => (await holders(connection).where(eq(connections.tokenDigest, tokenDigest)))[0]),
    findConnectionHolderByCode: (codeDigest) =>
      run(async (connection) => (await holders(connection).where(eq(connections.codeDigest, codeDigest)))[0]),
    listConnections: ({ id, accountId, projectId, memberId }, { after, limit } = {}) =>
      run((connection) => {
        const found = holders(connection)
          .where(
            and(
              id === undefined ? undefined : eq(connections.id, id),
              accountId === undefined ? undefined : eq(accounts.id, accountId),
              projectId === undefined ? undefined : eq(projects.id, projectId),
              memberId === undefined ? undefined : eq(keys.memberId, memberId),
              after && sql`(${connections.createdAt}, ${connections.id}) < (${after.createdAt}::bigint, ${after.id}::text collate "C")`,
            ),
          )
          .orderBy(desc(connections.createdAt), desc(connections.id))
        return limit === undefined ? found : found.limit(limit)
      }),
    countConnections: (keyId) =>
      run(async ({ db }) => (await db.select({ n: count() }).from(connections).where(eq(connections.keyId, keyId)))[0]?.n ?? 0),
  }
}

/** `changed` is called by each change that the control version counts. */
export function createOAuthWrites(run: Run, changed: () => void): OAuthWrites {
  return {
    saveClient: (client) =>
      run(
        async ({ db }) => void (await db.insert(oauthClients).values(client).onConflictDoUpdate({ target: oauthClients.id, set: client })),
      ),
    markClientUsed: (id, usedAt) =>
      run(async ({ db }) => void (await db.update(oauthClients).set({ usedAt }).where(eq(oauthClients.id, id)))),
    purgeClients: ({ before, unusedBefore, keepUnused }) =>
      run(async ({ db }) => {
        await db
          .delete(oauthClients)
          .where(sql`greatest(read_at, coalesce(used_at, 0)) <= ${before} or (used_at is null and read_at <= ${unusedBefore})`)
        await db
          .delete(oauthClients)
          .where(sql`id in (select id from oauth_clients where used_at is null order by read_at desc offset ${keepUnused})`)
      }),
    insertGrant: (grant) => run(async ({ db }) => void (await db.insert(grants).values(grant))),
    deleteGrant: (digest) => run(async ({ db }) => void (await db.delete(grants).where(eq(grants.digest, digest)))),
    purgeGrants: (before) => run(async ({ db }) => void (await db.delete(grants).where(lt(grants.expiresAt, before)))),
    insertConnection: (connection) => run(async ({ db }) => void (await db.insert(connections).values(connection))),
    updateConnection: (id, change) =>
      run(async ({ db }) => {
        await db.update(connections).set(change).where(eq(connections.id, id))
        changed()
      }),
    saveConnectionUses: (uses) =>
      run(async ({ db }) => {
        for (const { id, at } of uses)
          await db
            .update(connections)
            .set({ lastUsedAt: sql`greatest(${connections.lastUsedAt}, ${at})` })
            .where(eq(connections.id, id))
      }),
    purgeRevokedConnections: (keyId) =>
      run(async ({ db }) => void (await db.delete(connections).where(and(eq(connections.keyId, keyId), isNotNull(connections.revokedAt))))),
    purgeConnections: (before) => run(async ({ db }) => void (await db.delete(connections).where(lt(connections.expiresAt, before)))),
  }
}
