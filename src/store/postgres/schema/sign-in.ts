import { bigserial, index, pgTable } from 'drizzle-orm/pg-core'
import type { Role } from '../../account.ts'
import { exactText, time } from './types.ts'

// How people get into the console. Digests are SHA-256 in hexadecimal.

export const passwords = pgTable('passwords', { memberId: exactText().primaryKey(), hash: exactText().notNull() })

export const sessions = pgTable(
  'sessions',
  {
    id: exactText().primaryKey(),
    digest: exactText().notNull().unique(),
    memberId: exactText().notNull(),
    clientIp: exactText(),
    device: exactText(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** Of two begun at the same time the later one has the larger number. */
    number: bigserial({ mode: 'number' }).notNull(),
  },
  (table) => [index('sessions_by_member').on(table.memberId), index('sessions_by_end').on(table.expiresAt)],
)

export const entryLinks = pgTable('entry_links', {
  digest: exactText().primaryKey(),
  memberId: exactText().notNull(),
  madeBy: exactText(),
  createdAt: time().notNull(),
  expiresAt: time().notNull(),
})

export const invitations = pgTable(
  'invitations',
  {
    id: exactText().primaryKey(),
    digest: exactText().notNull().unique(),
    accountId: exactText().notNull(),
    email: exactText().notNull(),
    role: exactText().$type<Role>().notNull(),
    departmentId: exactText(),
    madeBy: exactText(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (table) => [index('invitations_by_account').on(table.accountId)],
)

export const emailChanges = pgTable('email_changes', {
  memberId: exactText().primaryKey(),
  email: exactText().notNull(),
  requestedAt: time().notNull(),
})

export const browsers = pgTable(
  'browsers',
  {
    digest: exactText().primaryKey(),
    memberId: exactText().notNull(),
    usedAt: time().notNull(),
    number: bigserial({ mode: 'number' }).notNull(),
  },
  (table) => [index('browsers_by_member').on(table.memberId, table.usedAt), index('browsers_by_use').on(table.usedAt)],
)
