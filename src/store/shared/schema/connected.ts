import { sql } from 'drizzle-orm'
import type { Integration, UnpickedTool, UpstreamTool } from '../../integration.ts'
import type { Grant, OAuthClient } from '../../oauth.ts'
import type { Kit } from '../../sqlite/schema/kit.ts'

/**
 * Tables of applications that connect by OAuth, and of other MCP servers that accounts connect. Digests are SHA-256 in
 * hexadecimal.
 */
export function createConnectedTables({
  table,
  text,
  integer,
  long,
  flag,
  json,
  index,
  uniqueIndex,
  primaryKey,
  wholeRow,
}: Kit) {
  return {
    oauthClients: table(
      'oauth_clients',
      {
        id: text().primaryKey(),
        kind: text().$type<OAuthClient['kind']>().notNull(),
        name: text().notNull(),
        redirectUris: json<string[]>().notNull(),
        secretDigest: text(),
        readAt: long().notNull(),
        usedAt: long(),
      },
      (own) => wholeRow('oauth_clients', own),
    ),
    grants: table(
      'grants',
      {
        digest: text().primaryKey(),
        stage: text().$type<Grant['stage']>().notNull(),
        clientId: text().notNull(),
        keyId: text().notNull(),
        redirectUri: text().notNull(),
        resource: text().notNull(),
        challenge: text().notNull(),
        state: text(),
        expiresAt: long().notNull(),
      },
      (own) => wholeRow('grants', own),
    ),
    connections: table(
      'connections',
      {
        id: text().primaryKey(),
        tokenDigest: text().notNull().unique(),
        codeDigest: text().notNull().unique(),
        clientId: text().notNull(),
        clientName: text().notNull(),
        clientHost: text().notNull(),
        keyId: text().notNull(),
        resource: text().notNull(),
        createdAt: long().notNull(),
        expiresAt: long().notNull(),
        revokedAt: long(),
        lastUsedAt: long(),
      },
      (own) => [...wholeRow('connections', own), index('connections_by_key').on(own.keyId)],
    ),
    integrations: table(
      'integrations',
      {
        id: text().primaryKey(),
        accountId: text().notNull(),
        slug: text().notNull(),
        name: text().notNull(),
        url: text().notNull(),
        /** Encrypted. */
        headers: text().notNull(),
        mode: text().$type<Integration['mode']>().notNull(),
        tools: json<string[]>(),
        timeoutMs: integer().notNull(),
        maxBytes: integer().notNull(),
        stateful: flag().notNull().default(false),
        createdAt: long().notNull(),
        acceptedAt: long(),
      },
      (own) => [...wholeRow('integrations', own), uniqueIndex('integrations_by_slug').on(own.accountId, own.slug)],
    ),
    enabledIntegrations: table(
      'enabled_integrations',
      { integrationId: text().notNull(), projectId: text().notNull() },
      (own) => [
        primaryKey({ columns: [own.integrationId, own.projectId] }),
        index('enabled_by_project').on(own.projectId),
      ],
    ),
    /** The tools each integration had when it was last asked, and as they were accepted. */
    toolLists: table(
      'tool_lists',
      {
        integrationId: text().primaryKey(),
        tools: json<UpstreamTool[]>().notNull(),
        accepted: json<UpstreamTool[]>().notNull(),
        withheld: integer().notNull().default(0),
        unpicked: json<UnpickedTool[]>().notNull().default(sql`'[]'`),
        ttlMs: long().notNull(),
        fetchedAt: long().notNull(),
      },
      (own) => wholeRow('tool_lists', own),
    ),
  }
}
