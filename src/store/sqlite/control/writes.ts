import type { Database } from 'bun:sqlite'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ControlReads, ControlWrites } from '../../control.ts'
import { accounts, departments, keys, members, projects } from '../schema/control.ts'
import { createAccessWrites } from './access.ts'
import { createAddressWishWrites } from './address-wishes.ts'
import { createAuditWrites } from './audit.ts'
import { createBrowserWrites } from './browsers.ts'
import { createIntegrationWrites } from './integration.ts'
import { createInvitationWrites } from './invitations.ts'
import { createOAuthWrites } from './oauth.ts'
import { createSessionWrites } from './sessions.ts'
import { createNextControlVersion } from './version.ts'

/** The control file's changes; only inside a write. */
export function createControlWrites(client: Database): Omit<ControlWrites, keyof ControlReads> {
  const db = drizzle({ client, casing: 'snake_case' })
  const nextGeneration = createNextControlVersion(client)

  /** Changes a row of a table whose rows are kept in memory. */
  const update =
    (table: SQLiteTable & { id: SQLiteColumn }) =>
    async (id: string, change: object): Promise<void> => {
      db.update(table).set(change).where(eq(table.id, id)).run()
      nextGeneration()
    }

  return {
    ...createAccessWrites(db),
    ...createAddressWishWrites(db),
    ...createAuditWrites(db),
    ...createBrowserWrites(db),
    ...createIntegrationWrites(db, nextGeneration),
    ...createInvitationWrites(db),
    ...createOAuthWrites(db, nextGeneration),
    ...createSessionWrites(db),
    insertAccount: async (account) => void db.insert(accounts).values(account).run(),
    updateAccount: update(accounts),
    insertDepartment: async (department) => void db.insert(departments).values(department).run(),
    updateDepartment: async (id, change) => void db.update(departments).set(change).where(eq(departments.id, id)).run(),
    deleteDepartment: async (id) => void db.delete(departments).where(eq(departments.id, id)).run(),
    insertMember: async (member) => void db.insert(members).values(member).run(),
    updateMember: update(members),
    insertProject: async (project) => void db.insert(projects).values(project).run(),
    updateProject: update(projects),
    insertKey: async (key) => void db.insert(keys).values(key).run(),
    updateKey: update(keys),
    saveKeyUses: async (uses) => {
      for (const { id, at } of uses) {
        const later = sql`max(coalesce(${keys.lastUsedAt}, 0), ${at})`
        db.update(keys).set({ lastUsedAt: later }).where(eq(keys.id, id)).run()
      }
    },
  }
}
