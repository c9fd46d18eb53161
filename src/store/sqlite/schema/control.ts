import { createControlTables } from '../../shared/schema/control.ts'
import { SQLITE_KIT } from './kit.ts'

/** The tables of the control file. */
export const CONTROL_TABLES = createControlTables(SQLITE_KIT)

// What drizzle-kit reads: each table by itself.
export const { accounts, departments, members, projects, access, keys, passwords, sessions, entryLinks, invitations } =
  CONTROL_TABLES
export const { emailChanges, browsers, oauthClients, grants, connections, integrations, enabledIntegrations } =
  CONTROL_TABLES
export const { toolLists, audit, dailyUse, callErrors, undos } = CONTROL_TABLES
