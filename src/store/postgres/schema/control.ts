import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable } from 'drizzle-orm/pg-core'
import { createControlTables } from '../../shared/schema/control.ts'
import { exactText, POSTGRES_KIT, time } from './kit.ts'

/** The tables of control data. */
export const CONTROL_TABLES = createControlTables(POSTGRES_KIT)

// What drizzle-kit reads: each table by itself.
export const { accounts, departments, members, projects, access, keys, passwords, sessions, entryLinks, invitations } =
  CONTROL_TABLES
export const { emailChanges, browsers, oauthClients, grants, connections, integrations, enabledIntegrations } =
  CONTROL_TABLES
export const { toolLists, audit, dailyUse, callErrors, undos } = CONTROL_TABLES

/**
 * What stands for a project in the tables of its data, given at its first use. By chance, so that no other project is
 * given one that an instance remembers and a standby, which was promoted without the last commits, does not know.
 */
export const projectNumbers = pgTable('project_numbers', {
  id: exactText().primaryKey(),
  number: integer().notNull().unique().default(sql`1 + floor(random() * 2147483646)`),
})

/** One row: the control version. */
export const controlVersion = pgTable('control_version', { one: boolean().primaryKey(), version: time().notNull() })
