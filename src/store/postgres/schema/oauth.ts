import { index, pgTable } from 'drizzle-orm/pg-core'
import type { Grant, OAuthClient } from '../../oauth.ts'
import { exactText, json, time } from './types.ts'

// Applications that connect by OAuth. Digests are SHA-256 in hexadecimal.

export const oauthClients = pgTable('oauth_clients', {
  id: exactText().primaryKey(),
  kind: exactText().$type<OAuthClient['kind']>().notNull(),
  name: exactText().notNull(),
  redirectUris: json<string[]>().notNull(),
  secretDigest: exactText(),
  readAt: time().notNull(),
  usedAt: time(),
})

export const grants = pgTable('grants', {
  digest: exactText().primaryKey(),
  stage: exactText().$type<Grant['stage']>().notNull(),
  clientId: exactText().notNull(),
  keyId: exactText().notNull(),
  redirectUri: exactText().notNull(),
  resource: exactText().notNull(),
  challenge: exactText().notNull(),
  state: exactText(),
  expiresAt: time().notNull(),
})

export const connections = pgTable(
  'connections',
  {
    id: exactText().primaryKey(),
    tokenDigest: exactText().notNull().unique(),
    codeDigest: exactText().notNull().unique(),
    clientId: exactText().notNull(),
    clientName: exactText().notNull(),
    clientHost: exactText().notNull(),
    keyId: exactText().notNull(),
    resource: exactText().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    revokedAt: time(),
    lastUsedAt: time(),
  },
  (table) => [index('connections_by_key').on(table.keyId)],
)
