import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { wholeRow } from './whole-row.ts'

// Applications that connect by OAuth. Times are milliseconds since 1970; digests are SHA-256 in hexadecimal.

export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    id: text().primaryKey(),
    kind: text({ enum: ['registration', 'document'] }).notNull(),
    name: text().notNull(),
    redirectUris: text({ mode: 'json' }).$type<string[]>().notNull(),
    secretDigest: text(),
    readAt: integer().notNull(),
    usedAt: integer(),
  },
  (table) => [wholeRow('oauth_clients', table)],
)

export const grants = sqliteTable(
  'grants',
  {
    digest: text().primaryKey(),
    stage: text({ enum: ['asked', 'allowed'] }).notNull(),
    clientId: text().notNull(),
    keyId: text().notNull(),
    redirectUri: text().notNull(),
    resource: text().notNull(),
    challenge: text().notNull(),
    state: text(),
    expiresAt: integer().notNull(),
  },
  (table) => [wholeRow('grants', table)],
)

export const connections = sqliteTable(
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
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    revokedAt: integer(),
    lastUsedAt: integer(),
  },
  (table) => [wholeRow('connections', table), index('connections_by_key').on(table.keyId)],
)
